/** Reads error responses of services: how long to wait, and a message for the log without keys. */

const charactersMax = 200;
/** Anything shorter is no key, and may be an ordinary word. */
const secretMin = 8;
const holdsSecret = /authori[sz]ation|key|token|secret/i;
/** Keys that are repeated in part, or other keys. */
const looksLikeKey = /\b(?:(?:sk|key|AIza)[-_\w*]{6,}|Bearer [-_.\w*]{6,})/g;

/** One line. */
export function refusalWords(said: string): string {
	const plain = said.replaceAll(/\s+/g, " ").replaceAll(looksLikeKey, "…");
	return plain.length > charactersMax ? `${plain.slice(0, charactersMax)}…` : plain;
}

/**
 * Removes keys from the message, whatever format they have.
 * @param headers of the request
 */
export function withoutSecrets(said: string, headers: Readonly<Record<string, string>>): string {
	const values = Object.entries(headers).flatMap(([name, value]) => (holdsSecret.test(name) ? [value, ...value.split(" ")] : []));
	// A slash may be escaped in JSON.
	const secrets = values.filter(({ length }) => length >= secretMin).flatMap((secret) => [secret, secret.replaceAll("/", "\\/")]);
	return secrets.sort((a, b) => b.length - a.length).reduce((text, secret) => text.replaceAll(secret, "…"), said);
}

/** @param retryAfter seconds or a date, as the header has it; null when it asks for no pause. */
export function askedPauseMs(retryAfter: string | null, now: Date): number | null {
	const given = retryAfter?.trim() ?? "";
	if (given === "") return null;
	const ms = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now.getTime();
	return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
