/** Rejects with both values unless they are equal: by their content, dates and vectors included, whatever the order of keys. */

import { demand } from "./contract-test.ts";

export function demandEqual(actual: unknown, wanted: unknown, what: string): void {
	const [left, right] = [plainly(actual), plainly(wanted)];
	demand(left === right, `${what}: wanted ${shortened(right)} and got ${shortened(left)}`);
}

/** As JSON with sorted keys. */
function plainly(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(byKey)) : inner)) ?? "undefined";
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
	return left < right ? -1 : 1;
}

const charactersShown = 600;

function shortened(text: string): string {
	return text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text;
}
