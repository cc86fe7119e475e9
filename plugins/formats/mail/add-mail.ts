/** Adds a mail as a section: subject, sender, recipients and date, its text, and its readable attachments. */

import { type Attachment, parseMediaType, type Warning } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { addFragment, wordsOfFragment } from "../html/html-fragment.ts";
import { readRtf } from "../rtf/rtf-reader.ts";
import { looksBinary } from "../text/decode-text.ts";
import { addAttachment } from "./add-attachment.ts";
import { addPlain } from "./add-plain.ts";
import { type Bodies, isMail, type Mail } from "./mail.ts";
import { readEml } from "./read-eml.ts";

/** Limit for mails attached to mails. */
const depthMax = 10;
/** A plain text much shorter than the HTML body is only a notice such as "view this mail in a browser". */
const stubShare = 0.25;

/** What does not become text, collected over all mails of a file. */
export interface Aside {
	/** Attachments that become documents of their own. */
	readonly attachments: Attachment[];
	/** How many attachments were left out: too many, or without content. */
	unread: number;
	/** How many mails have a body in an unknown encoding. */
	bodies: number;
}

export function nothingAside(): Aside {
	return { attachments: [], unread: 0, bodies: 0 };
}

/** @param level of its heading. @param path a prefix for the names of its attachments. */
export async function addMail(mail: Mail, level: number, outline: Outline, aside: Aside, path = ""): Promise<void> {
	outline.heading(Math.min(6, level), mail.subject);
	outline.paragraph(mail.facts.join("\n"));
	const below = lowered(outline, level);
	if (!addBody(mail.bodies, below)) aside.bodies++;
	aside.unread += mail.attachmentsLeft;
	const named: string[] = [];
	const readable: (() => Promise<void>)[] = [];
	for (const { name, mediaType, isInline, content } of mail.attachments) {
		const inner = await innerMail(content, mediaType, name);
		if (inner !== null && level < depthMax) {
			const called = inner.subject === "" ? { ...inner, subject: name } : inner;
			readable.push(() => addMail(called, level + 1, outline, aside, `${path}${nameInPath(name || called.subject)}/`));
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
		if (name !== "") named.push(name);
		if (isMail(content) || content.byteLength === 0) aside.unread++;
		else aside.attachments.push({ path: `${path}${nameInPath(name)}`, bytes: content, claimedMediaType: mediaType === "" ? null : parseMediaType(mediaType) });
	}
	if (named.length > 0) outline.paragraph(`Attachments: ${named.join(", ")}`);
	for (const add of readable) await add();
}

/** Replaces slashes, since only nested files may add folders to the path. */
function nameInPath(name: string): string {
	return name.replaceAll(/[/\\]/g, "_") || "attachment";
}

export function warningsOf({ unread, bodies }: Aside): readonly Warning[] {
	return [
		...(unread === 0 ? [] : [{ code: "ATTACHMENT_UNREAD", message: `${unread} attachments were not read` }]),
		...(bodies === 0 ? [] : [{ code: "BODY_UNREAD", message: `the text of ${bodies} mails is no text in any known encoding` }]),
	];
}

async function innerMail(content: Uint8Array | Mail, mediaType: string, name: string): Promise<Mail | null> {
	if (isMail(content)) return content;
	if (mediaType !== "message/rfc822" && !/\.eml$/i.test(name)) return null;
	return await readEml(content).catch(() => null); // it then counts as unreadable
}

/** Plain text is preferred; HTML is used where there is none, or only a notice. */
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
		const options = block.markdown === undefined ? {} : { markdown: block.markdown };
		if (block.kind === "heading") outline.heading(block.level, block.text, options);
		else if (block.kind === "list-item") outline.item(block.depth, block.text, { ...options, ...(block.marker === undefined ? {} : { marker: block.marker }) });
		else outline.paragraph(block.text, options);
	}
}

/** Lowers the headings of a body below the subject. */
function lowered(outline: Outline, levels: number): Outline {
	return { ...outline, heading: (level, text, options) => outline.heading(Math.min(6, level + levels), text, options) };
}
