/** Reads a mail in Internet Message Format (RFC 5322, MIME). */

import { fail } from "cairn-memory";
import PostalMime, { type Address, decodeWords, type Email, type Attachment as Part } from "postal-mime";
import { decodeText } from "../text/decode-text.ts";
import { cleanText } from "../text/plain-text.ts";
import { type Addressee, type Attachment, addressLine, attachmentsMax, factLine, type Mail } from "./mail.ts";

/** Real mails nest a dozen parts, and the headers of all parts stay below a megabyte. */
const bounds = { maxNestingDepth: 100, maxHeadersSize: 16 * 1024 * 1024 } as const;

/** The `format=flowed` parameter is searched in so many bytes, which come before large attachments. */
const headBytes = 256 * 1024;
/** Programs wrap lines at 66 to 78 characters; a line may be shorter by its last word and its quote marks. */
const flowedLineMin = 40;

/** Header fields of which every mail has at least one, even a draft. */
const telling: ReadonlySet<string> = new Set([
	"from",
	"to",
	"cc",
	"subject",
	"date",
	"message-id",
	"received",
	"mime-version",
	"content-type",
	"return-path",
	"sender",
]);

/** @throws FILE_BROKEN when it has no mail header, or an oversized one. */
export async function readEml(bytes: Uint8Array): Promise<Mail> {
	const email = await parse(narrow(bytes));
	if (!email.headers.some(({ key }) => telling.has(key))) throw fail("FILE_BROKEN", "it does not begin with the header of a mail");
	const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? null;
	const flat = (addresses: readonly Address[] | undefined) => (addresses ?? []).flatMap(addresseesOf);
	return {
		subject: oneLine(email.subject),
		facts: [
			...addressLine("From", flat(email.from === undefined ? undefined : [email.from])),
			...addressLine("To", flat(email.to)),
			...addressLine("Cc", flat(email.cc)),
			...addressLine("Bcc", flat(email.bcc)),
			...factLine("Date", decodeWords(header("date") ?? "")),
		],
		bodies: { text: clean(isFlowed(bytes) ? joinedQuotes(email.text ?? "") : email.text), html: clean(email.html), rtf: null },
		attachments: email.attachments.slice(0, attachmentsMax).map(attachmentOf),
		attachmentsLeft: Math.max(0, email.attachments.length - attachmentsMax),
	};
}

async function parse(bytes: Uint8Array): Promise<Email> {
	try {
		// Attached mails become attachments and are not part of the text.
		return await PostalMime.parse(bytes, { ...bounds, forceRfc822Attachments: true });
	} catch (thrown) {
		throw fail("FILE_BROKEN", "its parts are nested too deeply, or its headers never end").because(thrown);
	}
}

/** Converts mails that were saved in UTF-16 to UTF-8; their syntax is ASCII. */
function narrow(bytes: Uint8Array): Uint8Array {
	const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes.subarray(0, 64).includes(0);
	if (isWide) return new TextEncoder().encode(decodeText(bytes, null));
	const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
	return hasMark ? bytes.subarray(3) : bytes;
}

function isFlowed(bytes: Uint8Array): boolean {
	return /format\s?=\s?"?flowed/i.test(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytes)).toString("latin1"));
}

/** Flowed lines are joined already, but quote marks are left between them: `> words > and more`. Shorter lines were never wrapped. */
function joinedQuotes(text: string): string {
	return text
		.split("\n")
		.map((line) => {
			const marks = /^(?:> ?){1,50}/.exec(line)?.[0] ?? "";
			if (marks === "") return line;
			const [first = "", ...rest] = line.slice(marks.length).split(` ${marks.trimEnd()} `);
			let since = first.length;
			return rest.reduce((joined, part) => {
				const isCut = since >= flowedLineMin;
				since = isCut ? part.length : since + part.length;
				return `${joined} ${isCut ? "" : `${marks.trimEnd()} `}${part}`;
			}, `${marks}${first}`);
		})
		.join("\n");
}

function addresseesOf({ name, address, group }: Address): readonly Addressee[] {
	if (group === undefined) return [{ name, address }];
	return group.length === 0 ? [{ name, address: "" }] : group.map((attachment) => ({ name: attachment.name, address: attachment.address }));
}

function attachmentOf({ filename, mimeType, related, disposition, content }: Part): Attachment {
	return {
		name: oneLine(filename ?? ""),
		mediaType: mimeType.toLowerCase(),
		isInline: related === true && disposition !== "attachment",
		content: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
	};
}

function clean(text: string | undefined): string | null {
	return text === undefined || text.trim() === "" ? null : cleanText(text);
}

function oneLine(text: string | undefined): string {
	return (text ?? "").replace(/[\p{Cc}\s]+/gu, " ").trim();
}
