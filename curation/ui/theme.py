"""The light and the dark theme, and the one place that adds styles: constant text, never data."""

from pathlib import Path

import streamlit as st

_ASSETS = Path(__file__).parent / "assets"


def asset(name: str) -> str:
    """Return the text of a shipped style or script."""
    return (_ASSETS / name).read_text(encoding="utf-8")


# Two accents: the fill carries white text, the dark theme's text accent stands on dark ground.
LIGHT = {
    "primaryColor": "#1d5bbf",
    "backgroundColor": "#ffffff",
    "secondaryBackgroundColor": "#f6f6f4",
    "textColor": "#1f2226",
    "linkColor": "#1d5bbf",
    "borderColor": "#8a8d91",
}
DARK = {
    "primaryColor": "#3d73d9",
    "backgroundColor": "#181715",
    "secondaryBackgroundColor": "#262522",
    "textColor": "#eceae5",
    "linkColor": "#8ab4ff",
    "borderColor": "#77756f",
}
BOTH = {"baseRadius": "6px", "showWidgetBorder": True, "baseFontSize": 15}

_WIDTHS = "".join(f".cur-w{share}{{width:{share}%}}" for share in range(101))  # lengths of bars
_STYLES = asset("curation.css") + asset("experiments.css") + _WIDTHS


def theme_options() -> dict[str, object]:
    """Return the theme as Streamlit's options."""
    return (
        {f"theme.{name}": value for name, value in BOTH.items()}
        | {f"theme.light.{name}": value for name, value in LIGHT.items()}
        | {f"theme.dark.{name}": value for name, value in DARK.items()}
    )


def add_styles() -> None:
    """Add the app's styles to the page."""
    st.html(f"<style>{_STYLES}</style>")
