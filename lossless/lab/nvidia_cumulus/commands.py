"""`nv`: what is set and unset, revisions and what is done with them, and what is shown.

Answers are written as NVUE writes them where public transcripts show it ("created [rev_id: 2]",
"applied_and_saved [rev_id: 2]", "attached [rev_id: 2]"); the wording of refusals is the lab's own
after "Error: ".
"""

from __future__ import annotations

import copy
import json
import re
import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from lossless.lab.nvidia_cumulus import reading, shows, tree
from lossless.lab.nvidia_cumulus.grammar import Refused
from lossless.lab.nvidia_cumulus.tree import Tree

if TYPE_CHECKING:
    from lossless.lab.nvidia_cumulus.box import Cumulus

#: Standard output, standard error, exit status, and a question.
Answer = tuple[str, str, int, str | None]
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "": 60}
_TEN_MINUTES: Final = 600.0
_SURE: Final = (
    "Warning: management interface config is changed. If you are connected with it, your "
    "connection may be temporarily interrupted.\nAre you sure? [y/N] "
)


def run(box: Cumulus, args: Sequence[str], user: str, *, typed: bool = False) -> Answer:
    """Run `nv <args>` as a user."""
    try:
        return _run(box, list(args), user, typed)
    except Refused as why:
        said = str(why)
        text = said if said.startswith("Invalid config") else f"Error: {said}"
        return "", f"{text}\n", 1, None


def _run(box: Cumulus, args: list[str], user: str, typed: bool) -> Answer:
    verb, rest = (args[0] if args else ""), args[1:]
    if verb in ("set", "unset"):
        return _changed(box, verb, rest, user)
    if verb == "config":
        return _config(box, rest, user, typed)
    if verb == "show":
        words, options = _options(rest, ("-o", "--output", "-w", "--view"))
        if options.get("-o", options.get("--output", "auto")) not in ("auto", "native"):
            raise Refused("the lab shows tables only; `nv config show` has JSON and YAML")
        return shows.show(box, words), "", 0, None
    raise Refused(f"'{verb}' is not one of ['show', 'set', 'unset', 'config', 'action']")


def _changed(box: Cumulus, verb: str, words: list[str], user: str) -> Answer:
    revision, made = box.attach(user)
    held = copy.deepcopy(revision.held)
    try:
        box.enter(held, verb, words)
    except Refused:
        if made:
            box.delete(str(revision.number))
        raise
    revision.held = held
    return (f"created [rev_id: {revision.number}]\n" if made else ""), "", 0, None


# --- nv config -----------------------------------------------------------------------------------


def _config(box: Cumulus, args: list[str], user: str, typed: bool) -> Answer:
    verb, rest = (args[0] if args else ""), args[1:]
    if verb == "apply":
        return _apply(box, rest, user, typed)
    found = _CONFIG.get(verb)
    if found is None:
        raise Refused(f"'{verb}' is not one of {['apply', *_CONFIG]}")
    return found(box, rest, user)


def _options(args: Sequence[str], valued: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Part words and options; those in `valued` take the next word."""
    words: list[str] = []
    options: dict[str, str] = {}
    rest = list(args)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            words.append(word)
        elif name in valued:
            if not equals and not rest:
                raise Refused(f"{name}: a value is missing")
            options[name] = value if equals else rest.pop(0)
        else:
            options[name] = value
    return words, options


def _apply(box: Cumulus, args: list[str], user: str, typed: bool) -> Answer:
    words, options = _options(args, ("-m", "--message"))
    if "--confirm-status" in options:
        return _status(box)
    if "--confirm-yes" in options:
        return f"confirmed [rev_id: {box.confirm()}]\n", "", 0, None
    if "--confirm-no" in options:
        box.tick()
        return f"reverted [rev_id: {box.revert()}]\n", "", 0, None
    seconds = None
    if "--confirm" in options:
        # The time may follow as a word of its own: `--confirm 5m`.
        times = [word for word in words if re.fullmatch(r"\d+[smh]", word)]
        plain = args[args.index("--confirm") + 1 :][:1] if "--confirm" in args else []
        if not times and plain and plain[0].isdigit():
            times = plain
        words = [word for word in words if word not in times]
        seconds = _seconds((times or [options["--confirm"]])[0])
    number = _number(words)
    if not {"-y", "--y", "--assume-yes"} & options.keys() and _risky(box, user, number):
        if typed and "--assume-no" not in options:
            return "", "", 0, _SURE
        raise Refused("not applied: nobody said yes")
    message = options.get("-m", options.get("--message", ""))
    if number is None and _nothing(box, user):
        return "", "Warning: current config is not different from applied config\n", 0, None
    revision = box.apply(user, message, seconds, number)
    word = "applied_and_saved" if box.saves else "applied"
    return f"{word} [rev_id: {revision.number}]\n", "", 0, None


def _number(words: Sequence[str]) -> int | None:
    if not words:
        return None
    if len(words) > 1 or not words[0].isdigit():
        raise Refused(f"Unknown revision: {' '.join(words)}")
    return int(words[0])


def _seconds(text: str) -> float:
    if not text:
        return _TEN_MINUTES
    found = re.fullmatch(r"(\d{1,6})([smh]?)", text)
    if found is None:
        raise Refused(f"--confirm: '{text}' is not a time")
    return float(int(found[1]) * _UNITS[found[2]])


def _nothing(box: Cumulus, user: str) -> bool:
    pending = box.pending(user)
    return pending is not None and pending.held == pending.base


def _risky(box: Cumulus, user: str, number: int | None) -> bool:
    """Say whether the port that people are logged in over changes."""
    wanted = box.revision("pending" if number is None else str(number), user)
    return bool(tree.at(wanted, "interface", "eth0") != tree.at(box.applied, "interface", "eth0"))


def _status(box: Cumulus) -> Answer:
    timer = box.timer
    if timer is None:
        raise Refused("No revision waits to be confirmed")
    left = max(0, int(timer.end - box.clock()))
    said = f"{left // 60}:{left % 60:02} left before revision {timer.number} is taken back\n"
    return said, "", 0, None


# --- what is written -----------------------------------------------------------------------------


def whole(box: Cumulus, held: Tree) -> str:
    """Return a configuration as YAML, with the header that 5.7 brought."""
    head = tree.yaml(box.header(), 4).replace("    ", "", 1)
    header = f"- header:\n    {head}" if box.release >= 7 else ""
    return f"{header}- set:\n{tree.yaml(tree.by_range(held), 4)}"


def written(box: Cumulus, held: Tree, style: str) -> str:
    """Return a configuration as `nv config show -o <style>` prints it.  Raises `Refused`."""
    if style in ("commands", "command"):
        return tree.commands(held)
    if style == "json":
        parts: list[Any] = [{"header": box.header()}] if box.release >= 7 else []
        return json.dumps([*parts, {"set": tree.numbers(held)}], indent=2) + "\n"
    if style not in ("yaml", "auto", "native"):
        raise Refused(f"'{style}' is not one of ['commands', 'json', 'yaml']")
    return whole(box, held)


_OUTPUT: Final = ("-o", "--output", "-r", "--revision")


def _style(options: dict[str, str], usual: str = "yaml") -> str:
    return options.get("-o", options.get("--output", usual))


def _show(box: Cumulus, args: list[str], user: str) -> Answer:
    words, options = _options(args, _OUTPUT)
    word = options.get("-r", options.get("--revision", "applied"))
    for name in ("applied", "startup", "pending"):
        word = name if f"--{name}" in options else word
    if words:
        raise Refused(f"'{words[0]}' is not known at config show")
    return written(box, box.revision(word, user), _style(options)), "", 0, None


def _diff(box: Cumulus, args: list[str], user: str) -> Answer:
    words, options = _options(args, _OUTPUT)
    old, new = (*words, "applied", "pending")[:2] if len(words) != 1 else (words[0], "pending")
    if not words and box.pending(user) is None:
        return "", "", 0, None
    set_, unset = tree.difference(box.revision(old, user), box.revision(new, user))
    said = ""
    for verb, held in (("unset", unset), ("set", set_)):
        if held and _style(options) in ("commands", "command"):
            said += tree.commands(held, verb)
        elif held:
            said += f"- {verb}:\n{tree.yaml(tree.by_range(held), 4)}"
    # On 5.14.0 a difference gives 1 (release notes of 5.14, 4616352; mended in 5.15).
    return said, "", int(bool(said) and box.version == "5.14.0"), None


def _patch(box: Cumulus, args: list[str], user: str) -> Answer:
    return _from_file(box, args, user, anew=False)


def _replace(box: Cumulus, args: list[str], user: str) -> Answer:
    return _from_file(box, args, user, anew=True)


def _from_file(box: Cumulus, args: list[str], user: str, *, anew: bool) -> Answer:
    words, _ = _options(args, ())
    name = words[0] if words else ""
    text = box.files.get(name)
    if text is None:
        raise Refused(f"{name or 'a file'}: no such file")
    revision, made = box.attach(user)
    held: Tree = {} if anew else copy.deepcopy(revision.held)
    faults = list(reading.load(box.grammar, box.release, held, text))
    if faults:
        if made:
            box.delete(str(revision.number))
        raise Refused("\n".join(f"{name}:{n} '{line}' failed: {why}" for n, line, why in faults))
    revision.held = held
    return (f"created [rev_id: {revision.number}]\n" if made else ""), "", 0, None


# --- revisions -----------------------------------------------------------------------------------


def _save(box: Cumulus, args: list[str], user: str) -> Answer:
    box.save()
    return "saved [rev_id: applied]\n", "", 0, None


def _detach(box: Cumulus, args: list[str], user: str) -> Answer:
    box.detach(user)
    return "", "", 0, None


def _attach(box: Cumulus, args: list[str], user: str) -> Answer:
    words, _ = _options(args, ())
    if words == ["applied"] or not words:
        box.detach(user)
        return f"attached [rev_id: {box.attach(user)[0].number}]\n", "", 0, None
    number = _number(words)
    return f"attached [rev_id: {box.attach(user, number)[0].number}]\n", "", 0, None


def _delete(box: Cumulus, args: list[str], user: str) -> Answer:
    words, _ = _options(args, ())
    box.delete(words[0] if words else "")
    return "", "", 0, None


def _listed(box: Cumulus, args: list[str], user: str) -> Answer:
    _, options = _options(args, _OUTPUT)
    if _style(options, "auto") == "json":
        told = {str(one.number): {"state": one.state} for one in box.revisions()}
        return json.dumps(told, indent=2) + "\n", "", 0, None
    rows = [(str(one.number), one.state, one.user, one.message) for one in box.revisions()]
    return shows.table(("rev_id", "state", "user", "message"), rows), "", 0, None


def _find(box: Cumulus, args: list[str], user: str) -> Answer:
    words, _ = _options(args, ())
    found: Tree = {}
    for path, held in tree.leaves(box.applied):
        if words and words[0] in (*path, held):
            tree.put(found, path, held)
    return (f"- set:\n{tree.yaml(found, 4)}" if found else ""), "", 0, None


def _translate(box: Cumulus, args: list[str], user: str) -> Answer:
    words, _ = _options(args, ())
    if words[:1] == ["revision"] and len(words) == 2:
        return tree.commands(box.revision(words[1], user)), "", 0, None
    if words[:1] == ["filename"] and len(words) == 2 and words[1] in box.files:
        held: Tree = {}
        list(reading.load(box.grammar, box.release, held, box.files[words[1]]))
        return tree.commands(held), "", 0, None
    raise Refused(f"cannot translate {shlex.join(words)}")


_CONFIG: Final[dict[str, Callable[[Any, list[str], str], Answer]]] = {
    "show": _show,
    "diff": _diff,
    "patch": _patch,
    "replace": _replace,
    "save": _save,
    "detach": _detach,
    "attach": _attach,
    "delete": _delete,
    "history": _listed,
    "revision": _listed,
    "find": _find,
    "translate": _translate,
}
