/** Reads a compose file as far as servers need it that are started without Docker: the environment of each service, and how many there are. */

import { parse } from "yaml";

export interface ComposeService {
	readonly environment: Readonly<Record<string, string>>;
	readonly replicas: number;
}

interface Written {
	readonly environment?: Readonly<Record<string, string>>;
	readonly deploy?: { readonly replicas?: number };
}

/** @param variables what stands in `.env` @throws Error for a `${NAME:?}` that is missing or empty */
export function readCompose(text: string, variables: Readonly<Record<string, string>>): Readonly<Record<string, ComposeService>> {
	const { services } = parse(filledIn(text, variables), { strict: true, merge: true }) as { readonly services: Readonly<Record<string, Written>> };
	return Object.fromEntries(
		Object.entries(services).map(([name, { environment = {}, deploy }]) => [name, { environment: { ...environment }, replicas: deploy?.replicas ?? 1 }]),
	);
}

/** The two forms of variables that the file has: `${NAME:?}` and `${NAME:-default}`. */
function filledIn(text: string, variables: Readonly<Record<string, string>>): string {
	return text.replaceAll(/\$\{(\w+):([?-])([^}]*)\}/g, (_whole, name: string, form: string, otherwise: string) => {
		const value = variables[name] ?? "";
		if (value === "" && form === "?") throw new Error(`the compose file needs ${name}`);
		return value === "" ? otherwise : value;
	});
}

/** The names in a file of the form of `.env`. */
export function namesIn(text: string): readonly string[] {
	return [...text.matchAll(/^(\w+)=/gm)].map(([, name = ""]) => name);
}
