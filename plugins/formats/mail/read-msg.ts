/** Reads Outlook's MSG format, whose properties have numeric ids (MS-OXMSG, MS-OXPROPS). */

import iconv from "iconv-lite";
import { openCompoundFile, type Storage } from "../cfb/compound-file.ts";
import { decodeText } from "../text/decode-text.ts";
import { cleanText } from "../text/plain-text.ts";
import { decompressRtf } from "./compressed-rtf.ts";
import { type Addressee, type Attachment, addressLine, attachmentsMax, headerLine, type Mail } from "./mail.ts";

/** How deeply mails may be attached to mails. */
const depthMax = 10;

const utf16 = "001F";
const codePageText = "001E";
const binary = "0102";
const storage = "000D";

/** Milliseconds from 1601, the Windows epoch, to 1970. */
const epochMs = 11_644_473_600_000;

interface Properties {
	readonly text: (id: string) => string;
	readonly bytes: (id: string) => Uint8Array | null;
	/** The value of a fixed-length property: a number or a time. */
	readonly number: (id: number) => bigint | null;
}

/** @throws FILE_BROKEN if it is not an OLE compound file. */
export function readMsg(bytes: Uint8Array): Mail {
	return mailOf(openCompoundFile(bytes), 32, 0);
}

function mailOf(root: Storage, headerLength: number, depth: number): Mail {
	const properties = propertiesOf(root, headerLength, null);
	const codePage = codePageOf(root, headerLength);
	const recipients = [...root.storages]
		.filter(([name]) => name.startsWith("__recip_"))
		.toSorted(byName)
		.map(([, recipient]) => recipientOf(propertiesOf(recipient, 8, codePage)));
	const recipientsOfKind = (kind: number) => recipients.filter((recipient) => recipient.kind === kind);
	const attachments = [...root.storages].filter(([name]) => name.startsWith("__attach_")).toSorted(byName);
	return {
		subject: properties
			.text("0037")
			.replace(/[\p{Cc}\s]+/gu, " ")
			.trim(),
		headerLines: [
			...addressLine("From", [senderOf(properties)]),
			...firstNonEmpty(addressLine("To", recipientsOfKind(1)), headerLine("To", properties.text("0E04"))),
			...firstNonEmpty(addressLine("Cc", recipientsOfKind(2)), headerLine("Cc", properties.text("0E03"))),
			...addressLine("Bcc", recipientsOfKind(3)),
			...headerLine("Date", dateOf(properties)),
		],
		bodies: { text: nullIfBlank(properties.text("1000")), html: htmlOf(properties), rtf: rtfOf(properties) },
		attachments: attachments.slice(0, attachmentsMax).map(([, attachment]) => attachmentOf(attachment, codePage, depth)),
		attachmentsLeftOut: Math.max(0, attachments.length - attachmentsMax),
	};
}

function byName([first]: readonly [string, Storage], [second]: readonly [string, Storage]): number {
	return first < second ? -1 : 1;
}

function firstNonEmpty(lines: readonly string[], fallback: readonly string[]): readonly string[] {
	return lines.length > 0 ? lines : fallback;
}

function propertiesOf({ streams }: Storage, headerLength: number, codePage: string | null): Properties {
	const textCodePage = codePage ?? codePageIn(streams, headerLength);
	const stream = (id: string, type: string) => streams.get(`__substg1.0_${id}${type}`) ?? null;
	return {
		text(id) {
			const utf16Bytes = stream(id, utf16);
			if (utf16Bytes !== null) return cleanText(Buffer.from(utf16Bytes).toString("utf16le"));
			const codePageBytes = stream(id, codePageText);
			return codePageBytes === null ? "" : decodeText(codePageBytes, textCodePage);
		},
		bytes: (id) => stream(id, binary),
		number: (id) => fixedValue(streams, headerLength, id),
	};
}

function codePageOf({ streams }: Storage, headerLength: number): string {
	return codePageIn(streams, headerLength);
}

/** The code page of 8-bit texts: the message code page, otherwise the internet code page. */
function codePageIn(streams: Storage["streams"], headerLength: number): string {
	for (const id of [0x3ffd, 0x3fde]) {
		const codePage = fixedValue(streams, headerLength, id);
		const name = codePage === 65001n ? "utf-8" : `cp${codePage}`;
		if (codePage !== null && iconv.encodingExists(name)) return name;
	}
	return "windows-1252";
}

/** Finds the value of a fixed-length property. The entries have sixteen bytes: type, id, flags, value. */
function fixedValue(streams: Storage["streams"], headerLength: number, id: number): bigint | null {
	const list = streams.get("__properties_version1.0");
	if (list === undefined) return null;
	const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
	for (let offset = headerLength; offset + 16 <= list.byteLength; offset += 16) {
		if (view.getUint16(offset + 2, true) !== id) continue;
		return view.getUint16(offset, true) === 0x0040 ? view.getBigUint64(offset + 8, true) : BigInt(view.getUint32(offset + 8, true));
	}
	return null;
}

/** The first internet mail address. Internal Exchange addresses are directory paths, and are skipped. */
function firstMailAddress(...addresses: readonly string[]): string {
	return addresses.find((address) => address.includes("@")) ?? "";
}

function senderOf({ text }: Properties): Addressee {
	const [, headerValue = ""] = /^From:\s*(?:[^\n<]*<)?([^\s<>]+@[^\s<>]+)/im.exec(text("007D")) ?? [];
	return { name: text("0C1A") || text("0042"), address: firstMailAddress(text("5D01"), text("0C1F"), text("5D02"), text("0065"), headerValue) };
}

function recipientOf({ text, number }: Properties): Addressee & { readonly kind: number } {
	return { name: text("3001"), address: firstMailAddress(text("39FE"), text("3003")), kind: Number(number(0x0c15) ?? 1n) & 0xf };
}

/** The date in the mail header, otherwise the time at which it was sent, otherwise at which it was received. Empty if unknown. */
function dateOf({ text, number }: Properties): string {
	const [, headerValue] = /^Date:\s*(\S.*)$/im.exec(text("007D")) ?? [];
	if (headerValue !== undefined) return headerValue;
	const time = number(0x0039) ?? number(0x0e06) ?? number(0x3007);
	const date = time === null ? null : new Date(Number(time / 10_000n) - epochMs);
	return date === null || Number.isNaN(date.getTime()) ? "" : date.toUTCString();
}

function htmlOf({ text, bytes, number }: Properties): string | null {
	const headerValue = text("1013");
	if (headerValue !== "") return headerValue;
	const html = bytes("1013");
	if (html === null) return null;
	const codePage = number(0x3fde);
	return nullIfBlank(decodeText(html, codePage === null || codePage === 65001n ? "utf-8" : `cp${codePage}`));
}

function rtfOf({ bytes }: Properties): Uint8Array | null {
	const compressed = bytes("1009");
	return compressed === null ? null : decompressRtf(compressed);
}

function attachmentOf(attachments: Storage, codePage: string, depth: number): Attachment {
	const properties = propertiesOf(attachments, 8, codePage);
	const attachedMail = attachments.storages.get(`__substg1.0_3701${storage}`);
	const name = properties.text("3707") || properties.text("3704") || properties.text("3001");
	const isInline = properties.text("3712") !== "" && (properties.number(0x7ffe) ?? 0n) !== 0n;
	const content = attachedMail !== undefined && depth < depthMax ? mailOf(attachedMail, 24, depth + 1) : (properties.bytes("3701") ?? new Uint8Array());
	return { name: name.replace(/[\p{Cc}\s]+/gu, " ").trim(), mediaType: properties.text("370E").toLowerCase(), isInline, content };
}

function nullIfBlank(text: string): string | null {
	return text.trim() === "" ? null : text;
}
