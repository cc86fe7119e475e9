/** Removes possible secrets from an address, for logs and messages: user, password, query and fragment. */

/** Longer ones are cut: an address is shown to be recognised, not to be opened. */
const charactersMax = 200;

export function redactAddress(address: string | URL): string {
	const text = String(address);
	const bare = URL.canParse(text) ? withoutUser(new URL(text)) : text.replace(/^([^/?#]*\/\/)?[^/?#]*@/, "$1");
	const [shown = "", ...hidden] = bare.split(/(?=[?#])/);
	return printable(hidden.length === 0 ? shown : `${shown}?…`);
}

function withoutUser(url: URL): string {
	url.username = "";
	url.password = "";
	// An address of a kind without hosts, `data:` say, is all content.
	return url.host === "" ? `${url.protocol}…` : url.href;
}

function printable(text: string): string {
	const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "�");
	return plain.length > charactersMax ? `${plain.slice(0, charactersMax)}…` : plain;
}
