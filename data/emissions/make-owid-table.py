#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the table of the provider `owid` of a release of Our World in Data: of each country the last year that has a figure.

Either of these will do: https://ourworldindata.org/grapher/carbon-intensity-electricity.csv, or owid-energy-data.csv of
https://github.com/owid/energy-data. Codes of two letters come from Debian's package iso-codes. What is no country, and a
figure of 0, to which some small grids are rounded, is left out.

usage: make-owid-table.py [--until=YEAR] [--countries=iso_3166-1.json] RELEASE.csv > owid.csv
"""

import argparse
import csv
import json
import sys

COUNTRIES = "/usr/share/iso-codes/json/iso_3166-1.json"

# Kosovo has no code of ISO 3166-1; these of the user's range are in common use.
FURTHER_CODES = {"XKX": "XK"}
CODES_OF_RELEASE = {"OWID_KOS": "XKX"}

# The columns of code, country, year and figure: as in the data set, and as in two ages of the chart's table.
FORMS = (
    ("iso_code", "country", "year", "carbon_intensity_elec"),
    ("code", "entity", "year", "co2_intensity"),
    ("Code", "Entity", "Year", "Carbon intensity of electricity - gCO2/kWh"),
)

HEADER = """\
# What electricity emits, by country: grams of CO2 equivalent per kilowatt-hour made there, life cycle, of one year.
#
# SPDX-FileCopyrightText: 2025 Ember and the Energy Institute, with major processing by Our World in Data
# SPDX-License-Identifier: CC-BY-4.0
#
# From: Ember (2025) and Energy Institute, Statistical Review of World Energy (2025), with major processing by Our World
# in Data, "Carbon intensity of electricity generation", https://ourworldindata.org/grapher/carbon-intensity-electricity
# Changed: of each country only the last year{until} is kept, rounded to hundredths.
#
# code,code of two letters,country,year,g/kWh
"""


def read_short_codes(path):
    with open(path, encoding="utf-8") as stream:
        countries = json.load(stream)["3166-1"]
    return {country["alpha_3"]: country["alpha_2"] for country in countries} | FURTHER_CODES


def find_form(names):
    for form in FORMS:
        if set(form) <= set(names):
            return form
    sys.exit(f"make-owid-table.py: not a release of the data set: columns {', '.join(names or [])}")


def read_last_years(stream, short_codes, until):
    """The rows by code: the last year of each that has a figure above 0."""
    reader = csv.DictReader(stream)
    code_column, country_column, year_column, figure_column = find_form(reader.fieldnames)
    rows = {}
    for line in reader:
        code = CODES_OF_RELEASE.get(line[code_column], line[code_column])
        year = int(line[year_column])
        if code not in short_codes or not line[figure_column] or float(line[figure_column]) <= 0 or year > until:
            continue
        if code not in rows or rows[code][1] < year:
            rows[code] = (line[country_column], year, float(line[figure_column]))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--until", type=int, default=9999, metavar="YEAR", help="take no later year")
    parser.add_argument("--countries", default=COUNTRIES, metavar="FILE", help="ISO 3166-1 as in the package iso-codes")
    parser.add_argument("release", metavar="RELEASE.csv")
    arguments = parser.parse_args()

    short_codes = read_short_codes(arguments.countries)
    with open(arguments.release, encoding="utf-8", newline="") as stream:
        rows = read_last_years(stream, short_codes, arguments.until)
    until = f" up to {arguments.until}" if arguments.until < 9999 else ""
    sys.stdout.write(HEADER.format(until=until))
    for code, (country, year, figure) in sorted(rows.items()):
        # the table knows no quotes
        print(code, short_codes[code], country.replace(",", ""), year, f"{figure:.2f}", sep=",")


if __name__ == "__main__":
    main()
