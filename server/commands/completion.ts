/** `cairn completion SHELL` prints a script with which a shell completes the commands, and the flags of the client commands. */

import { fail } from "../../core/errors/fail.ts";
import { commonOptions } from "./client/client-command.ts";
import { clientCommands } from "./client/index.ts";

type Script = (names: readonly string[], flagsOf: (name: string) => readonly string[]) => string;

const scripts: Readonly<Record<string, Script>> = {
	bash: (names, flagsOf) => `_cairn() {
	local word="\${COMP_WORDS[COMP_CWORD]}"
	if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${names.join(" ")}" -- "$word")); return; fi
	case "\${COMP_WORDS[1]}" in
${names.map((name) => `\t${name}) [[ "$word" == -* ]] && COMPREPLY=($(compgen -W "${flagsOf(name).join(" ")}" -- "$word")) && return ;;\n`).join("")}	esac
	COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _cairn cairn
`,
	zsh: (names, flagsOf) => `#compdef cairn
_cairn() {
	if (( CURRENT == 2 )); then compadd -- ${names.join(" ")}; return; fi
	case "$words[2]" in
${names.map((name) => `\t${name}) [[ "$PREFIX" == -* ]] && { compadd -- ${flagsOf(name).join(" ")}; return } ;;\n`).join("")}	esac
	_files
}
compdef _cairn cairn
`,
	fish: (names, flagsOf) =>
		[
			`complete -c cairn -n __fish_use_subcommand -f -a "${names.join(" ")}"`,
			...names.flatMap((name) => flagsOf(name).map((flag) => `complete -c cairn -n "__fish_seen_subcommand_from ${name}" -l ${flag.slice(2)}`)),
			"",
		].join("\n"),
};

/** @throws ServiceError `COMMAND_INVALID` */
export function completionScript([shell = "", ...more]: readonly string[], names: readonly string[]): string {
	const script = Object.hasOwn(scripts, shell) && more.length === 0 ? scripts[shell] : undefined;
	if (script === undefined) throw fail("COMMAND_INVALID", `usage: cairn completion ${Object.keys(scripts).join("|")}`);
	return script(names, flagsOf);
}

function flagsOf(name: string): readonly string[] {
	const command = Object.hasOwn(clientCommands, name) ? clientCommands[name] : undefined;
	return command === undefined ? [] : Object.keys({ ...command.options, ...commonOptions }).map((option) => `--${option}`);
}
