/** Whether bytes hold a text: as it is, whatever case its letters have, or within something that was encoded in base64. */

/** @param text of ASCII characters */
export function holdsText(bytes: Buffer, text: string): boolean {
	const all = bytes.toString("latin1");
	return all.toLowerCase().includes(text.toLowerCase()) || base64FormsOf(text).some((form) => all.includes(form));
}

/** The characters that the text is in base64 wherever it begins, without those that depend on what is around it. */
function base64FormsOf(text: string): readonly string[] {
	return [0, 1, 2].map((offset) => {
		const encoded = Buffer.from("\0".repeat(offset) + text).toString("base64");
		const first = Math.ceil((offset * 8) / 6);
		const last = Math.floor(((offset + text.length) * 8) / 6);
		return encoded.slice(first, last);
	});
}
