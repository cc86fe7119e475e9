/** A mail in the common form of all mail readers. */

export interface Mail {
	readonly subject: string;
	/** Header lines such as `From: Ola <ola@example.org>`, in display order. */
	readonly facts: readonly string[];
	readonly bodies: Bodies;
	readonly attachments: readonly Attachment[];
	/** How many attachments exceed the limit. */
	readonly attachmentsLeft: number;
}

/** The same text in up to three formats; null for missing ones. */
export interface Bodies {
	readonly text: string | null;
	readonly html: string | null;
	readonly rtf: Uint8Array | null;
}

export interface Attachment {
	/** Empty when it has no name. */
	readonly name: string;
	/** As declared by the sender, in lower case. */
	readonly mediaType: string;
	/** Part of the body's layout, such as a logo. */
	readonly isInline: boolean;
	readonly content: Uint8Array | Mail;
}

/** Mails with more attachments are attacks. */
export const attachmentsMax = 500;
/** Longer lists of recipients are cut. */
const addresseesMax = 100;

export interface Addressee {
	readonly name: string;
	readonly address: string;
}

/** `To: Ola <ola@example.org>, siri@example.org`; empty without recipients. */
export function addressLine(label: string, addressees: readonly Addressee[]): readonly string[] {
	const shown = addressees
		.slice(0, addresseesMax)
		.map(addresseeText)
		.filter((text) => text !== "");
	const more = addressees.length > addresseesMax ? ` and ${addressees.length - addresseesMax} more` : "";
	return shown.length === 0 ? [] : [`${label}: ${shown.join(", ")}${more}`];
}

function addresseeText({ name, address }: Addressee): string {
	const [called, at] = [name.replace(/\s+/g, " ").trim(), address.trim()];
	if (called === "" || called === at) return at;
	return at === "" ? called : `${called} <${at}>`;
}

export function factLine(label: string, value: string | null | undefined): readonly string[] {
	const text = (value ?? "").replace(/\s+/g, " ").trim();
	return text === "" ? [] : [`${label}: ${text}`];
}

export function isMail(content: Uint8Array | Mail): content is Mail {
	return !(content instanceof Uint8Array);
}
