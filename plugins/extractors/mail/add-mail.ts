/** A mail → a section: its subject, who wrote to whom and when, its words, and the attachments that can be read. */

import type { Remark } from "cairn";
import { looksBinary } from "../decode-text.ts";
import { addFragment, wordsOfFragment } from "../html-fragment.ts";
import type { Outline } from "../outline.ts";
import { readRtf } from "../rtf-reader.ts";
import { addAttachment } from "./add-attachment.ts";
import { addPlain } from "./add-plain.ts";
import { type Bodies, isMail, type Mail } from "./mail.ts";
import { readEml } from "./read-eml.ts";

/** Mails that forward mails that forward mails. */
const depthMax = 10;
/** A plain text much shorter than the page beside it only says that there is a page. */
const stubShare = 0.25;
const unreadNamedMax = 20;

/** What could not be read, gathered over all mails of a file. */
export interface Unread {
	readonly names: string[];
	count: number;
	bodies: number;
}

/** @param level of its heading. */
export async function addMail(mail: Mail, level: number, outline: Outline, unread: Unread): Promise<void> {
	outline.heading(Math.min(6, level), mail.subject);
	outline.paragraph(mail.facts.join("\n"));
	const below = lowered(outline, level);
	if (!addBody(mail.bodies, below)) unread.bodies++;
	unread.count += mail.attachmentsLeft;
	const named: string[] = [];
	const readable: (() => Promise<void>)[] = [];
	for (const { name, mediaType, isInline, content } of mail.attachments) {
		const inner = await innerMail(content, mediaType, name);
		if (inner !== null && level < depthMax) {
			readable.push(() => addMail(inner.subject === "" ? { ...inner, subject: name } : inner, level + 1, outline, unread));
			continue;
		}
		const add = inner === null && !isMail(content) ? addAttachment(content, mediaType, name) : null;
		if (add !== null) {
			readable.push(async () => {
				if (name !== "") outline.heading(Math.min(6, level + 1), name);
				add(lowered(outline, level + 1));
			});
			continue;
		}
		if (isInline) continue;
		unread.count++;
		if (name !== "") named.push(name);
	}
	if (named.length > 0) outline.paragraph(`Attachments: ${named.join(", ")}`);
	unread.names.push(...named.slice(0, Math.max(0, unreadNamedMax - unread.names.length)));
	for (const add of readable) await add();
}

export function remarksOf({ names, count, bodies }: Unread): readonly Remark[] {
	return [
		...(count === 0
			? []
			: [{ code: "ATTACHMENT_UNREAD", message: `${count} attachments were not read${names.length === 0 ? "" : `: ${names.join(", ")}`}`.slice(0, 1_000) }]),
		...(bodies === 0 ? [] : [{ code: "BODY_UNREAD", message: `the text of ${bodies} mails is no text in any known encoding` }]),
	];
}

async function innerMail(content: Uint8Array | Mail, mediaType: string, name: string): Promise<Mail | null> {
	if (isMail(content)) return content;
	if (mediaType !== "message/rfc822" && !/\.eml$/i.test(name)) return null;
	return await readEml(content).catch(() => null); // then it is one of those that cannot be read
}

/** Plain text is what the writer wrote; a page is taken where there is none, or none to speak of. */
function addBody({ text, html, rtf }: Bodies, outline: Outline): boolean {
	const page = html === null ? "" : wordsOfFragment(html);
	const isStub = text === null || text.trim().length < page.length * stubShare;
	if (page !== "" && isStub && html !== null) addFragment(html, null, outline);
	else if (text !== null && looksBinary(text)) return false;
	else if (text !== null) addPlain(text, outline);
	else if (rtf !== null) addRtf(rtf, outline);
	return true;
}

function addRtf(rtf: Uint8Array, outline: Outline): void {
	for (const block of readRtf(rtf).body.outline.blocks) {
		const options = { ...(block.markdown === undefined ? {} : { markdown: block.markdown }), ...(block.marker === undefined ? {} : { marker: block.marker }) };
		if (block.kind === "heading") outline.heading(block.level, block.text, options);
		else if (block.kind === "list-item") outline.item(block.depth, block.text, options);
		else outline.paragraph(block.text, options);
	}
}

/** Headings of a body stand below the subject, whatever rank they give themselves. */
function lowered(outline: Outline, levels: number): Outline {
	return { ...outline, heading: (level, text, options) => outline.heading(Math.min(6, level + levels), text, options) };
}
