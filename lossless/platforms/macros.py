"""The words of a platform: Jinja2 macros, one per (object, verb), and the frame around them.

A platform's folder of templates holds `macros.j2`, whose macros are called `<verb>_<object>` and
take the operation, and any number of other templates (the frame).  A user's folder laid over it
(`--templates DIR`, with `DIR/<platform>/…` inside) may redefine single macros or replace a whole
template; `{% import "builtin/<platform>/macros.j2" as builtin %}` reaches the shipped ones.  The
order of operations is the planner's and cannot be overridden.

Templates run in Jinja2's immutable sandbox, and an undefined name is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined
from jinja2.exceptions import TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from lossless.findings import InputError, Location, Problem

MACROS: Final = "macros.j2"
_PACKAGE: Final = Path(__file__).resolve().parent.parent


def template_root() -> Path:
    """Return the folder of shipped templates: inside the wheel, or beside it in a checkout."""
    installed = _PACKAGE / "_data" / "templates"
    return installed if installed.is_dir() else _PACKAGE.parent / "templates"


class Macros:
    """The macros of one platform, with a user's laid over them.

    `override` is a folder that may hold `<platform>/macros.j2` and other templates of the same
    names.  Raises `InputError` where it is not a folder; a faulty template
    raises it when it is first used.
    """

    def __init__(
        self,
        platform: str,
        override: Path | None = None,
        filters: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        self._platform = platform
        self._shipped = f"builtin/{platform}/{MACROS}"
        self._named = f"{platform}/{MACROS}"
        self._environment = _environment(platform, override)
        self._environment.filters.update(filters or {})
        self._cache: dict[str, Any] = {}

    def call(self, macro: str, *arguments: Any, **keywords: Any) -> str:
        """Run one macro and return its text.  Raises `InputError` where the template fails."""
        found = self._find(macro)
        try:
            return str(found(*arguments, **keywords))
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise self._fault(error, f"macro {macro} of {self._platform}") from error

    def lines(self, macro: str, *arguments: Any, **keywords: Any) -> tuple[str, ...]:
        """Run one macro and return the lines that it wrote, blank ones dropped."""
        text = self.call(macro, *arguments, **keywords)
        return tuple(line.rstrip() for line in text.splitlines() if line.strip())

    def render(self, template: str, **variables: Any) -> str:
        """Render a whole template of the platform ("frame.j2").  Raises `InputError`."""
        try:
            return self._environment.get_template(f"{self._platform}/{template}").render(variables)
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise self._fault(error, f"template {template} of {self._platform}") from error

    def has(self, macro: str) -> bool:
        """Say whether a macro exists."""
        return self._lookup(macro) is not None

    def _find(self, macro: str) -> Any:
        if macro not in self._cache:
            found = self._lookup(macro)
            if found is None:
                raise InputError(
                    [Problem(f"no macro {macro} in the templates of {self._platform}")]
                )
            self._cache[macro] = found
        return self._cache[macro]

    def _lookup(self, macro: str) -> Any:
        for name in (self._named, self._shipped):
            try:
                module = self._environment.get_template(name).module
            except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
                raise self._fault(error, f"template {name}") from error
            found = getattr(module, macro, None)
            if callable(found):
                return found
        return None

    def _fault(self, error: Exception, what: str) -> InputError:
        if isinstance(error, InputError):
            return error
        where = _place(error)
        hint = "compare with the shipped template of the same name"
        return InputError([Problem(f"{what}: {error}", where, hint)])


@lru_cache(maxsize=32)
def _environment(platform: str, override: Path | None) -> ImmutableSandboxedEnvironment:
    """Return the templates of a platform; kept, since compiling them costs more than a device."""
    shipped = FileSystemLoader(template_root())
    loaders: list[Any] = [PrefixLoader({"builtin": shipped}), shipped]
    if override is not None:
        if not override.is_dir():
            raise InputError(
                [
                    Problem(
                        f"{override} is not a folder of templates",
                        hint=f"it should hold {platform}/{MACROS}",
                    )
                ]
            )
        loaders.insert(0, FileSystemLoader(override))
    return ImmutableSandboxedEnvironment(
        loader=ChoiceLoader(loaders),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _place(error: Exception) -> Location | None:
    """Find the innermost line of a template that an error came through."""
    if isinstance(error, TemplateSyntaxError) and error.filename is not None:
        return Location(error.filename, error.lineno, 1)
    if isinstance(error, TemplateNotFound):
        return None
    found, trace = None, error.__traceback__
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and template.filename is not None:
            found = Location(
                template.filename, template.get_corresponding_lineno(trace.tb_lineno), 1
            )
        trace = trace.tb_next
    return found
