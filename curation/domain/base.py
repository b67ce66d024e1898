"""The base of every value of the domain."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value; a field that it does not know is an error.

    JSON is written and read by alias (`from`), Python code uses the field names (`from_`).
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
    )
