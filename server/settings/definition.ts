/** The definition of a setting: its names, default and parser. */

import type { Parser } from "./readers.ts";

export interface Definition<Value> {
	readonly env: string;
	readonly flag: string;
	readonly fallback: Value;
	/** Description for the documentation and `--help`. */
	readonly meaning: string;
	readonly read: Parser<Value>;
	readonly isSecret?: true;
}

export function define<Value>(definition: Definition<Value>): Definition<Value> {
	return definition;
}
