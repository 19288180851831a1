"""`lossless completion`: the script that teaches a shell to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    r"""Print the completion script for SHELL.

    \b
    bash: eval "$(lossless completion bash)"       in ~/.bashrc
    zsh:  eval "$(lossless completion zsh)"        in ~/.zshrc
    fish: lossless completion fish > ~/.config/fish/completions/lossless.fish
    """
    from lossless.cli import cli

    completion = get_completion_class(shell)
    if completion is None:  # pragma: no cover - click knows all three
        raise click.ClickException(f"this version of click cannot complete for {shell}")
    script = completion(cli, {}, "lossless", "_LOSSLESS_COMPLETE")
    click.echo(script.source())
