"""Units of measure: what they are called, what they measure and how they convert exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from curation.metrics.lexicon import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["ATTACHED_UNITS", "CURRENCY_SIGNS", "MAGNITUDES", "UNITS", "Unit", "unit_of"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its short name, what it measures, and value = number x factor + offset there."""

    name: str
    dimension: str
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


# A dimension in brackets (currencies in capitals), then a unit a line: name, factor, words.
# An underscore stands for a space.
_TABLE = """
[time]
ns 1/1000000000 ns nsec nanosecond nanoseconds
us 1/1000000 us μs µs usec microsecond microseconds
ms 1/1000 ms msec msecs millisecond milliseconds millis
s 1 s sec secs second seconds 秒 秒钟 秒間 วินาที
min 60 min mins minute minutes 分钟 分間
h 3600 h hr hrs hour hours 小时 時間
d 86400 d day days calendar_day calendar_days 天 日間
week 604800 week weeks wk wks 周
fortnight 1209600 fortnight fortnights
[month]
month 1 month months mo mos mth mths 个月 ヶ月 か月
quarter 3 quarters
year 12 year years yr yrs 年間
decade 120 decade decades
century 1200 century centuries
[business_day]
business_day 1 business_day business_days working_day working_days workday workdays weekday weekdays
[byte]
B 1 byte bytes
kB 1000 kb kilobyte kilobytes
MB 1000000 mb megabyte megabytes
GB 1000000000 gb gigabyte gigabytes
TB 1000000000000 tb terabyte terabytes
PB 1000000000000000 pb petabyte petabytes
KiB 1024 kib kibibyte kibibytes
MiB 1048576 mib mebibyte mebibytes
GiB 1073741824 gib gibibyte gibibytes
TiB 1099511627776 tib tebibyte tebibytes
[bit]
bit 1 bit bits
kbit 1000 kbit kbits kilobit kilobits
Mbit 1000000 mbit mbits megabit megabits
Gbit 1000000000 gbit gbits gigabit gigabits
[bit_rate]
bps 1 bps
kbps 1000 kbps
Mbps 1000000 mbps
Gbps 1000000000 gbps
[length]
nm 1/1000000000 nm nanometer nanometers nanometre nanometres
um 1/1000000 um μm micron microns micrometer micrometers micrometre micrometres
mm 1/1000 mm millimeter millimeters millimetre millimetres
cm 1/100 cm centimeter centimeters centimetre centimetres
m 1 m meter meters metre metres
km 1000 km kilometer kilometers kilometre kilometres
in 127/5000 inch inches
ft 381/1250 ft foot feet
yd 1143/1250 yd yard yards
mi 201168/125 mi mile miles
[mass]
mcg 1/1000000 mcg μg microgram micrograms
mg 1/1000 mg milligram milligrams milligramme milligrammes
g 1 g gram grams gramme grammes
kg 1000 kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes
t 1000000 tonne tonnes metric_ton metric_tons
lb 45359237/100000 lb lbs pound-mass
oz 45359237/1600000 oz ounce ounces
[volume]
ml 1/1000 ml milliliter milliliters millilitre millilitres
cl 1/100 cl centiliter centiliters centilitre centilitres
l 1 l liter liters litre litres
gal 473176473/125000000 gal gallon gallons
[ratio]
% 1/100 % percent pct per_cent percentage
permille 1/1000 ‰ permille per_mille
[point]
percentage_point 1 percentage_point percentage_points pp
basis_point 1/100 basis_point basis_points bps_points
[frequency]
Hz 1 hz hertz
kHz 1000 khz kilohertz
MHz 1000000 mhz megahertz
GHz 1000000000 ghz gigahertz
[power]
mW 1/1000 milliwatt milliwatts
W 1 w watt watts
kW 1000 kw kilowatt kilowatts
MW 1000000 mw megawatt megawatts
GW 1000000000 gw gigawatt gigawatts
[energy]
Wh 1 wh
kWh 1000 kwh
MWh 1000000 mwh
[voltage]
mV 1/1000 mv millivolt millivolts
V 1 volt volts
kV 1000 kv kilovolt kilovolts
[current]
mA 1/1000 ma milliamp milliamps
A 1 amp amps ampere amperes
[pressure]
Pa 1 pa pascal pascals
kPa 1000 kpa
bar 100000 bar bars
psi 6894757/1000 psi
[pixel]
px 1 px pixel pixels
[times]
times 1 x times
[speed]
km/h 5/18 kmh kph
mph 1397/3125 mph
[USD]
USD 1 usd dollar dollars us_dollar us_dollars 美元
cent 1/100 cent cents
[EUR]
EUR 1 eur euro euros 欧元
[GBP]
GBP 1 gbp pound pounds pounds_sterling quid
pence 1/100 pence
[JPY]
JPY 1 jpy yen 円 日元
[CNY]
CNY 1 cny rmb yuan renminbi 元
[CHF]
CHF 1 chf francs franc
[INR]
INR 1 inr rupee rupees rs
[CAD]
CAD 1 cad canadian_dollars canadian_dollar
[AUD]
AUD 1 aud australian_dollars australian_dollar
[KRW]
KRW 1 krw won
[SEK]
SEK 1 sek
[PLN]
PLN 1 pln zloty zlotys
"""
_CELSIUS = Unit("C", "temperature")
_FAHRENHEIT = Unit("F", "temperature", Fraction(5, 9), Fraction(-160, 9))
_KELVIN = Unit("K", "temperature", Fraction(1), Fraction(-27315, 100))
_TEMPERATURES = (
    (_CELSIUS, "°c °_c celsius degrees_celsius degree_celsius degrees_c deg_c"),
    (_FAHRENHEIT, "°f °_f fahrenheit degrees_fahrenheit degree_fahrenheit degrees_f deg_f"),
    (_KELVIN, "kelvin kelvins"),
)


def _named_units() -> Iterator[tuple[str, Unit]]:
    dimension = ""
    for line in _TABLE.split("\n"):
        if line.startswith("["):
            dimension = line[1:-1]
        elif line:
            name, factor, *words = line.split()
            unit = Unit(name.replace("_", " "), dimension, Fraction(factor))
            for word in words:
                yield word.replace("_", " "), unit
    for unit, names in _TEMPERATURES:
        for word in names.split():
            yield word.replace("_", " "), unit


UNITS: Mapping[str, Unit] = dict(_named_units())

CURRENCY_SIGNS: Mapping[str, str] = {
    "$": "usd", "us$": "usd", "\u20ac": "eur", "\u00a3": "gbp", "\u00a5": "jpy", "\u20b9": "inr",
    "\u20a9": "krw", "c$": "cad", "ca$": "cad", "a$": "aud",
}  # fmt: skip

MAGNITUDES: Mapping[str, int] = {
    "k": 10**3, "thousand": 10**3, "thousands": 10**3, "grand": 10**3,
    "mio": 10**6, "mn": 10**6, "mm": 10**6, "million": 10**6, "millions": 10**6,
    "bn": 10**9, "billion": 10**9, "billions": 10**9,
    "tn": 10**12, "trillion": 10**12, "trillions": 10**12,
    "lakh": 10**5, "lakhs": 10**5, "crore": 10**7, "crores": 10**7,
    "hundred": 100, "dozen": 12, "dozens": 12, "\u4e07": 10**4, "\u4ebf": 10**8,
}  # fmt: skip

# What can be written against its number: 60s, 5%, 2nd, 1.5k.
ATTACHED_UNITS = word_set(
    """
    $ % am b bn bps cl cm d eur ft g gb gbp gbps ghz gib gw h hr hrs hz k kb kbps kg khz kib km
    kmh kpa kph kv kw kwh l lb lbs m ma mb mbps mcg mg mhz mi mib min mins mio ml mm mn mo mph
    ms mv mw mwh nd nm ns oz pb pm psi px rd s sec secs st tb th tib tn us usd v w wh wk x y yr
    yrs £ °c °f μs ‰ €
    """
)

_SUFFIX_UNITS = {
    "y": "year",
    "w": "week",
    "v": "volt",
    "\u20ac": "eur",
    "$": "usd",
    "\u00a3": "gbp",
}


def unit_of(word: str, *, attached: bool = False) -> Unit | None:
    """Return the unit a word names; None for a word that names none.

    Args:
        word: One or two folded words.
        attached: The word was written against its number: 5v, 3w, 10€.
    """
    if attached and word in _SUFFIX_UNITS:
        word = _SUFFIX_UNITS[word]
    return UNITS.get(word)
