/** The common representation of a mail, for all mail formats. */

export interface Mail {
	readonly subject: string;
	/** Header lines such as `From: Ola <ola@example.org>`, in display order. */
	readonly headerLines: readonly string[];
	readonly bodies: Bodies;
	readonly attachments: readonly Attachment[];
	/** The number of attachments beyond the limit, which are left out. */
	readonly attachmentsLeftOut: number;
}

/** The same text in up to three formats. A missing one is null. */
export interface Bodies {
	readonly text: string | null;
	readonly html: string | null;
	readonly rtf: Uint8Array | null;
}

export interface Attachment {
	/** The file name; empty if it has none. */
	readonly name: string;
	/** The media type that the sender declared, in lower case. */
	readonly mediaType: string;
	/** Whether it is part of the body's layout, such as a logo. */
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

/** A line such as `To: Ola <ola@example.org>, siri@example.org`; no line without recipients. */
export function addressLine(label: string, addressees: readonly Addressee[]): readonly string[] {
	const texts = addressees
		.slice(0, addresseesMax)
		.map(addresseeText)
		.filter((text) => text !== "");
	const rest = addressees.length > addresseesMax ? ` and ${addressees.length - addresseesMax} more` : "";
	return texts.length === 0 ? [] : [`${label}: ${texts.join(", ")}${rest}`];
}

function addresseeText({ name, address }: Addressee): string {
	const [displayName, mailAddress] = [name.replace(/\s+/g, " ").trim(), address.trim()];
	if (displayName === "" || displayName === mailAddress) return mailAddress;
	return mailAddress === "" ? displayName : `${displayName} <${mailAddress}>`;
}

export function headerLine(label: string, value: string | null | undefined): readonly string[] {
	const text = (value ?? "").replace(/\s+/g, " ").trim();
	return text === "" ? [] : [`${label}: ${text}`];
}

export function isMail(content: Uint8Array | Mail): content is Mail {
	return !(content instanceof Uint8Array);
}
