# SPDX-License-Identifier: Apache-2.0
"""`asclens explain`: what a diagnostic code means."""

from __future__ import annotations

import click
from rich.markdown import Markdown

from asclens_compiler.cli.console import output
from asclens_compiler.diagnostics.rule import Rule, load_rules
from asclens_compiler.errors import AscLensError


@click.command("explain", short_help="What a code such as ASC201 means and what to write instead.")
@click.argument("code", required=False)
@click.option("--format", "style", type=click.Choice(["text", "md"]), default="text", help="Readable text or Markdown.")
@click.option("--lang", type=click.Choice(["en", "zh-CN"]), default="en", help="Language of the explanation.")
def command(code: str | None, style: str, lang: str) -> int:
    """Explain the diagnostic CODE (ASC201, or just 201). Without CODE, list all codes.

    \b
    Exit status: 0 explained, 2 no such code.
    """
    rules = load_rules()
    console = output()
    if code is None:
        for rule in rules.values():
            console.print(f"{rule.code}  {rule.severity.value:<8} {rule.name}")
        return 0
    rule = rules.get(_normal(code))
    if rule is None:
        raise AscLensError(f"there is no diagnostic code {code}", help="`asclens explain` lists all codes")
    page = rule_page(rule, chinese=lang == "zh-CN")
    if style == "md":
        click.echo(page, nl=False)
    else:
        console.print(Markdown(page))
    return 0


def rule_page(rule: Rule, *, chinese: bool = False) -> str:
    """Return a rule's description as Markdown."""
    message, help_text = (rule.message_zh, rule.help_zh) if chinese else (rule.message, rule.help)
    return (
        f"# {rule.code} {rule.name}\n\n"
        f"Severity: {rule.severity.value}\n\n"
        f"## What\n\n{message}\n\n"
        f"## Use instead\n\n{help_text}\n\n"
        f"## Source\n\n{rule.source}\n"
    )


def _normal(code: str) -> str:
    text = code.upper()
    return f"ASC{text}" if text.isdigit() else text
