/** Reads Outlook's MSG: properties by their ids (MS-OXMSG, MS-OXPROPS). */

import iconv from "iconv-lite";
import { openCompoundFile, type Storage } from "../cfb/compound-file.ts";
import { decodeText } from "../text/decode-text.ts";
import { cleanText } from "../text/plain-text.ts";
import { unpackRtf } from "./compressed-rtf.ts";
import { type Addressee, type Attachment, addressLine, attachmentsMax, factLine, type Mail } from "./mail.ts";

/** Nesting of attached mails. */
const depthMax = 10;

const utf16 = "001F";
const codePaged = "001E";
const binary = "0102";
const storage = "000D";

/** Milliseconds from the Windows epoch, 1601, to 1970. */
const epochMs = 11_644_473_600_000;

interface Properties {
	readonly text: (id: string) => string;
	readonly bytes: (id: string) => Uint8Array | null;
	/** A fixed-length property: a number or a time. */
	readonly number: (id: number) => bigint | null;
}

/** @throws FILE_BROKEN when it is no OLE compound file. */
export function readMsg(bytes: Uint8Array): Mail {
	return mailOf(openCompoundFile(bytes), 32, 0);
}

function mailOf(root: Storage, headLength: number, depth: number): Mail {
	const properties = propertiesOf(root, headLength, null);
	const page = codePageOf(root, headLength);
	const recipients = [...root.storages]
		.filter(([name]) => name.startsWith("__recip_"))
		.toSorted(byName)
		.map(([, recipient]) => recipientOf(propertiesOf(recipient, 8, page)));
	const of = (kind: number) => recipients.filter((recipient) => recipient.kind === kind);
	const attached = [...root.storages].filter(([name]) => name.startsWith("__attach_")).toSorted(byName);
	return {
		subject: properties
			.text("0037")
			.replace(/[\p{Cc}\s]+/gu, " ")
			.trim(),
		facts: [
			...addressLine("From", [senderOf(properties)]),
			...orElse(addressLine("To", of(1)), factLine("To", properties.text("0E04"))),
			...orElse(addressLine("Cc", of(2)), factLine("Cc", properties.text("0E03"))),
			...addressLine("Bcc", of(3)),
			...factLine("Date", dateOf(properties)),
		],
		bodies: { text: filled(properties.text("1000")), html: htmlOf(properties), rtf: rtfOf(properties) },
		attachments: attached.slice(0, attachmentsMax).map(([, attachment]) => attachmentOf(attachment, page, depth)),
		attachmentsLeft: Math.max(0, attached.length - attachmentsMax),
	};
}

function byName([one]: readonly [string, Storage], [other]: readonly [string, Storage]): number {
	return one < other ? -1 : 1;
}

function orElse(lines: readonly string[], others: readonly string[]): readonly string[] {
	return lines.length > 0 ? lines : others;
}

function propertiesOf({ streams }: Storage, headLength: number, page: string | null): Properties {
	const ownPage = page ?? pageOf(streams, headLength);
	const stream = (id: string, type: string) => streams.get(`__substg1.0_${id}${type}`) ?? null;
	return {
		text(id) {
			const wide = stream(id, utf16);
			if (wide !== null) return cleanText(Buffer.from(wide).toString("utf16le"));
			const narrow = stream(id, codePaged);
			return narrow === null ? "" : decodeText(narrow, ownPage);
		},
		bytes: (id) => stream(id, binary),
		number: (id) => smallValue(streams, headLength, id),
	};
}

function codePageOf({ streams }: Storage, headLength: number): string {
	return pageOf(streams, headLength);
}

/** The code page of 8-bit texts: the message code page, else the internet code page. */
function pageOf(streams: Storage["streams"], headLength: number): string {
	for (const id of [0x3ffd, 0x3fde]) {
		const page = smallValue(streams, headLength, id);
		const name = page === 65001n ? "utf-8" : `cp${page}`;
		if (page !== null && iconv.encodingExists(name)) return name;
	}
	return "windows-1252";
}

/** Entries of sixteen bytes: type, id, flags, value. */
function smallValue(streams: Storage["streams"], headLength: number, id: number): bigint | null {
	const list = streams.get("__properties_version1.0");
	if (list === undefined) return null;
	const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
	for (let at = headLength; at + 16 <= list.byteLength; at += 16) {
		if (view.getUint16(at + 2, true) !== id) continue;
		return view.getUint16(at, true) === 0x0040 ? view.getBigUint64(at + 8, true) : BigInt(view.getUint32(at + 8, true));
	}
	return null;
}

/** The first internet address; internal Exchange addresses are directory paths. */
function addressAmong(...addresses: readonly string[]): string {
	return addresses.find((address) => address.includes("@")) ?? "";
}

function senderOf({ text }: Properties): Addressee {
	const [, written = ""] = /^From:\s*(?:[^\n<]*<)?([^\s<>]+@[^\s<>]+)/im.exec(text("007D")) ?? [];
	return { name: text("0C1A") || text("0042"), address: addressAmong(text("5D01"), text("0C1F"), text("5D02"), text("0065"), written) };
}

function recipientOf({ text, number }: Properties): Addressee & { readonly kind: number } {
	return { name: text("3001"), address: addressAmong(text("39FE"), text("3003")), kind: Number(number(0x0c15) ?? 1n) & 0xf };
}

/** The date from the header, else the time it was sent, else the time it was received. */
function dateOf({ text, number }: Properties): string {
	const [, written] = /^Date:\s*(\S.*)$/im.exec(text("007D")) ?? [];
	if (written !== undefined) return written;
	const time = number(0x0039) ?? number(0x0e06) ?? number(0x3007);
	const date = time === null ? null : new Date(Number(time / 10_000n) - epochMs);
	return date === null || Number.isNaN(date.getTime()) ? "" : date.toUTCString();
}

function htmlOf({ text, bytes, number }: Properties): string | null {
	const written = text("1013");
	if (written !== "") return written;
	const html = bytes("1013");
	if (html === null) return null;
	const page = number(0x3fde);
	return filled(decodeText(html, page === null || page === 65001n ? "utf-8" : `cp${page}`));
}

function rtfOf({ bytes }: Properties): Uint8Array | null {
	const packed = bytes("1009");
	return packed === null ? null : unpackRtf(packed);
}

function attachmentOf(attached: Storage, page: string, depth: number): Attachment {
	const properties = propertiesOf(attached, 8, page);
	const inner = attached.storages.get(`__substg1.0_3701${storage}`);
	const name = properties.text("3707") || properties.text("3704") || properties.text("3001");
	const isInline = properties.text("3712") !== "" && (properties.number(0x7ffe) ?? 0n) !== 0n;
	const content = inner !== undefined && depth < depthMax ? mailOf(inner, 24, depth + 1) : (properties.bytes("3701") ?? new Uint8Array());
	return { name: name.replace(/[\p{Cc}\s]+/gu, " ").trim(), mediaType: properties.text("370E").toLowerCase(), isInline, content };
}

function filled(text: string): string | null {
	return text.trim() === "" ? null : text;
}
