/** `cairn completion SHELL` prints a script with which a shell completes commands, the words that follow them, and flags. */

import { fail } from "../../core/errors/fail.ts";
import { commonOptions } from "./client/client-command.ts";
import { importFrom, sourceNames } from "./client/import-from.ts";
import { clientCommands } from "./client/index.ts";

interface Completion {
	readonly name: string;
	/** Completed after the command; null where file names are. */
	readonly words: readonly string[] | null;
	readonly flags: readonly string[];
}

type Script = (completions: readonly Completion[]) => string;

/** Commands that take files or folders. What follows any other is its own, or nothing that a shell knows. */
const takingFiles = new Set(["eval", "backup", "restore", "verify", "export", "import", "salvage", "add", "watch"]);

const wordsAfter: Readonly<Record<string, readonly string[]>> = {
	models: ["list", "pull", "verify", "remove"],
	embedder: ["use"],
	connections: ["add", "sync", "remove"],
	keys: ["make", "revoke"],
	completion: ["bash", "zsh", "fish"],
};

/** Flags of commands that are no client commands. */
const flagsAfter: Readonly<Record<string, readonly string[]>> = {
	backup: ["--keep", "--json"],
	verify: ["--json"],
	export: ["--organisation"],
	import: ["--organisation"],
	erase: ["--prove", "--gone", "--text", "--organisation"],
};

const scripts: Readonly<Record<string, Script>> = {
	bash: (completions) => `_cairn() {
	local word="\${COMP_WORDS[COMP_CWORD]}" words="" flags="" files=""
	if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${namesIn(completions)}" -- "$word")); return; fi
	if [ "\${COMP_WORDS[COMP_CWORD-1]}" = --from ]; then COMPREPLY=($(compgen -W "${sourceNames.join(" ")}" -- "$word")); return; fi
	case "\${COMP_WORDS[1]}" in
${completions.map(({ name, words, flags }) => `\t${name}) ${words === null ? "files=1" : `words="${words.join(" ")}"`} flags="${flags.join(" ")}" ;;\n`).join("")}	esac
	if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$word"))
	elif [ -n "$files" ]; then compopt -o filenames 2> /dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word"))
	elif [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
	else COMPREPLY=(); fi
}
complete -F _cairn cairn
`,
	zsh: (completions) => `#compdef cairn
_cairn() {
	local -a words_after flags
	local files=""
	if (( CURRENT == 2 )); then compadd -- ${namesIn(completions)}; return; fi
	if [[ "$words[CURRENT-1]" == --from ]]; then compadd -- ${sourceNames.join(" ")}; return; fi
	case "$words[2]" in
${completions.map(({ name, words, flags }) => `\t${name}) ${words === null ? "files=1" : `words_after=(${words.join(" ")})`} flags=(${flags.join(" ")}) ;;\n`).join("")}	esac
	if [[ "$PREFIX" == -* ]]; then compadd -a flags
	elif [[ -n "$files" ]]; then _files
	elif (( CURRENT == 3 )); then compadd -a words_after; fi
}
# Found in $fpath, this file is run as the function itself, at the first completion.
if [[ "$funcstack[1]" == _cairn ]]; then _cairn "$@"; else compdef _cairn cairn; fi
`,
	fish: (completions) =>
		[
			`complete -c cairn -n __fish_use_subcommand -f -a "${namesIn(completions)}"`,
			...completions.flatMap(({ name, words, flags }) => [
				...(words === null ? [] : [fishLine(name, `-f${words.length === 0 ? "" : ` -a "${words.join(" ")}"`}`)]),
				...flags.map((flag) => fishLine(name, `-l ${flag.slice(2)}${flag === "--from" ? ` -x -a "${sourceNames.join(" ")}"` : ""}`)),
			]),
			"",
		].join("\n"),
};

function namesIn(completions: readonly Completion[]): string {
	return completions.map(({ name }) => name).join(" ");
}

function fishLine(name: string, completed: string): string {
	return `complete -c cairn -n "__fish_seen_subcommand_from ${name}" ${completed}`;
}

/** @throws ServiceError `COMMAND_INVALID` */
export function completionScript([shell = "", ...more]: readonly string[], names: readonly string[]): string {
	const script = Object.hasOwn(scripts, shell) && more.length === 0 ? scripts[shell] : undefined;
	if (script === undefined) throw fail("COMMAND_INVALID", `usage: cairn completion ${Object.keys(scripts).join("|")}`);
	return script(names.map((name) => ({ name, words: takingFiles.has(name) ? null : (wordsAfter[name] ?? []), flags: flagsOf(name) })));
}

function flagsOf(name: string): readonly string[] {
	const command = name === "import" ? importFrom : clientCommands[name];
	if (command === undefined || !Object.hasOwn({ ...clientCommands, import: importFrom }, name)) return flagsAfter[name] ?? [];
	return Object.keys({ ...command.options, ...commonOptions }).map((option) => `--${option}`);
}
