/** Takes an option with a value out of the arguments of a command: `--name VALUE` or `--name=VALUE`. */

import { fail } from "../../core/errors/fail.ts";

/** @returns the other arguments, and the value; null if the option is absent. @throws ServiceError `COMMAND_INVALID` if it has no value */
export function takeOption(args: readonly string[], name: string): { readonly words: readonly string[]; readonly value: string | null } {
	const at = args.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
	if (at < 0) return { words: args, value: null };
	const [own = "", next = ""] = args.slice(at);
	const [value, length] = own.includes("=") ? [own.slice(name.length + 3), 1] : [next, 2];
	if (value === "" || (length === 2 && value.startsWith("--"))) throw fail("COMMAND_INVALID", `--${name} needs a value`);
	return { words: args.toSpliced(at, length), value };
}
