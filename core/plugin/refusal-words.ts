/** Reads error responses of services: makes a log message without API keys, and reads how long to wait. */

const messageCharactersMax = 200;
/** A shorter header value is not a key and may be an ordinary word. */
const secretCharactersMin = 8;
const secretHeaderName = /authori[sz]ation|key|token|secret/i;
/** Matches keys that are not in the request's headers, and keys that the service has partly masked. */
const keyPattern = /\b(?:(?:sk|key|AIza)[-_\w*]{6,}|Bearer [-_.\w*]{6,})/g;

/** The message as one short line, without keys. */
export function refusalWords(message: string): string {
	const line = message.replaceAll(/\s+/g, " ").replaceAll(keyPattern, "…");
	return line.length > messageCharactersMax ? `${line.slice(0, messageCharactersMax)}…` : line;
}

/**
 * Removes the keys of the request from the message, whatever format they have.
 * @param headers the headers of the request
 */
export function withoutSecrets(message: string, headers: Readonly<Record<string, string>>): string {
	const values = Object.entries(headers).flatMap(([name, value]) => (secretHeaderName.test(name) ? [value, ...value.split(" ")] : []));
	// Slashes may be escaped in JSON.
	const secrets = values.filter(({ length }) => length >= secretCharactersMin).flatMap((secret) => [secret, secret.replaceAll("/", "\\/")]);
	return secrets.sort((a, b) => b.length - a.length).reduce((text, secret) => text.replaceAll(secret, "…"), message);
}

/**
 * How long the service asks to wait, in milliseconds; null if it does not ask.
 * @param retryAfter the `Retry-After` header: seconds or a date
 */
export function askedPauseMs(retryAfter: string | null, now: Date): number | null {
	const given = retryAfter?.trim() ?? "";
	if (given === "") return null;
	const ms = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now.getTime();
	return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
