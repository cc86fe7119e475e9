/** A mail as its readers hand it over, whatever file it came in. */

export interface Mail {
	readonly subject: string;
	/** Lines such as `From: Ola <ola@example.org>`, in the order they are shown. */
	readonly facts: readonly string[];
	readonly bodies: Bodies;
	readonly attachments: readonly Attachment[];
	/** How many attachments there are beyond those that were looked at. */
	readonly attachmentsLeft: number;
}

/** The same words in up to three forms; null for those the mail does not have. */
export interface Bodies {
	readonly text: string | null;
	readonly html: string | null;
	readonly rtf: Uint8Array | null;
}

export interface Attachment {
	/** Empty when it has none. */
	readonly name: string;
	/** As the sender says, lower case. */
	readonly mediaType: string;
	/** Part of the body's layout, a logo say. */
	readonly isInline: boolean;
	readonly content: Uint8Array | Mail;
}

/** Mails with more are made to keep their reader busy. */
export const attachmentsMax = 500;
/** Longer lists of recipients are announcements and are cut. */
const addresseesMax = 100;

export interface Addressee {
	readonly name: string;
	readonly address: string;
}

/** `To: Ola <ola@example.org>, siri@example.org`, or nothing without recipients. */
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
