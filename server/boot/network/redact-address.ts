/** Removes possible secrets from a URL, for logs and messages: user, password, query and fragment. */

/** Longer URLs are cut: they only have to be recognisable. */
const charactersMax = 200;

export function redactAddress(address: string | URL): string {
	const text = String(address);
	const withoutSecrets = URL.canParse(text) ? withoutUser(new URL(text)) : text.replace(/^([^/?#]*\/\/)?[^/?#]*@/, "$1");
	const [shown = "", ...removed] = withoutSecrets.split(/(?=[?#])/);
	return printable(removed.length === 0 ? shown : `${shown}?…`);
}

function withoutUser(url: URL): string {
	url.username = "";
	url.password = "";
	// A URL without a host, such as `data:`, consists of content.
	return url.host === "" ? `${url.protocol}…` : url.href;
}

function printable(text: string): string {
	const cleaned = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "�");
	return cleaned.length > charactersMax ? `${cleaned.slice(0, charactersMax)}…` : cleaned;
}
