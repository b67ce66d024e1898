"""Every value of the domain is frozen and refuses unknown fields."""

import importlib
import pkgutil

import pytest
from pydantic import ValidationError

import curation.domain
from curation.domain.base import Value
from curation.domain.person import Person


def _values() -> list[type[Value]]:
    for module in pkgutil.iter_modules(curation.domain.__path__, "curation.domain."):
        importlib.import_module(module.name)
    found: list[type[Value]] = []
    waiting = [Value]
    while waiting:
        waiting += (subclasses := waiting.pop().__subclasses__())
        found += subclasses
    return found


@pytest.mark.parametrize("value", _values(), ids=lambda v: v.__name__)
def test_values_are_frozen_and_strict(value):
    assert value.model_config["frozen"] is True
    assert value.model_config["extra"] == "forbid"


def test_a_frozen_value_refuses_a_write_and_an_unknown_field():
    person = Person(name="Mia Kim", email="mia@example.org")
    with pytest.raises(ValidationError):
        setattr(person, "name", "Rob")  # noqa: B010
    with pytest.raises(ValidationError):
        Person.model_validate({"name": "Mia", "email": "mia@example.org", "age": 3})


@pytest.mark.parametrize(
    "text", ["Mia", "Mia Kim", "<mia@x.org>", "Mia <mia>", "Mia\nBob <m@x.org>", "A <b@c> <d@e>"]
)
def test_a_person_is_a_name_and_an_address(text):
    with pytest.raises(Exception, match="does not name a person"):
        Person.parse(text)


def test_people_are_the_same_by_lower_cased_address():
    assert Person.parse("Mia Kim <Mia@X.org>").key == Person.parse("M. K. <mia@x.ORG>").key
