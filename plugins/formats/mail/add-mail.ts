/** Adds a mail as a section: subject, sender, recipients and date, its text, and its readable attachments. */

import { type Attachment, parseMediaType, type Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { addFragment, textOfFragment } from "../html/html-fragment.ts";
import { readRtf } from "../rtf/rtf-reader.ts";
import { looksBinary } from "../text/decode-text.ts";
import { addAttachment } from "./add-attachment.ts";
import { addPlain } from "./add-plain.ts";
import { type Bodies, isMail, type Mail } from "./mail.ts";
import { readEml } from "./read-eml.ts";

/** How deeply mails may be attached to mails. */
const depthMax = 10;
/** A plain text with less than this share of the HTML body's characters is only a notice such as "view this mail in a browser". */
const noticeShareMax = 0.25;

/** What is not added as text, collected over all mails of a file. */
export interface MailResults {
	/** Attachments that become documents of their own. */
	readonly attachments: Attachment[];
	/** The number of attachments that were left out, because there were too many or they had no content. */
	unreadAttachments: number;
	/** The number of mails whose body is in an unknown encoding. */
	unreadBodies: number;
}

export function createMailResults(): MailResults {
	return { attachments: [], unreadAttachments: 0, unreadBodies: 0 };
}

/** One mail as a whole file. */
export async function extractMail(mail: Mail): Promise<SandboxResult> {
	const outline = createOutline();
	const results = createMailResults();
	await addMail(mail, 1, outline, results);
	const extraction = completeExtraction({ blocks: outline.blocks, titles: [mail.subject], type: "text" });
	return { extraction, warnings: warningsOf(results), attachments: results.attachments };
}

/** @param level the level of the mail's heading @param path a prefix for the names of its attachments */
export async function addMail(mail: Mail, level: number, outline: Outline, results: MailResults, path = ""): Promise<void> {
	outline.heading(Math.min(6, level), mail.subject);
	outline.paragraph(mail.headerLines.join("\n"));
	const lowerOutline = withLowerHeadings(outline, level);
	if (!addBody(mail.bodies, lowerOutline)) results.unreadBodies++;
	results.unreadAttachments += mail.attachmentsLeftOut;
	const attachmentsPrefix: string[] = [];
	const addFunctions: (() => Promise<void>)[] = [];
	for (const { name, mediaType, isInline, content } of mail.attachments) {
		const inner = await attachedMail(content, mediaType, name);
		if (inner !== null && level < depthMax) {
			const titled = inner.subject === "" ? { ...inner, subject: name } : inner;
			addFunctions.push(() => addMail(titled, level + 1, outline, results, `${path}${nameInPath(name || titled.subject)}/`));
			continue;
		}
		const add = inner === null && !isMail(content) ? addAttachment(content, mediaType, name) : null;
		if (add !== null) {
			addFunctions.push(async () => {
				if (name !== "") outline.heading(Math.min(6, level + 1), name);
				add(withLowerHeadings(outline, level + 1));
			});
			continue;
		}
		if (isInline) continue;
		if (name !== "") attachmentsPrefix.push(name);
		if (isMail(content) || content.byteLength === 0) results.unreadAttachments++;
		else
			results.attachments.push({ path: `${path}${nameInPath(name)}`, bytes: content, claimedMediaType: mediaType === "" ? null : parseMediaType(mediaType) });
	}
	if (attachmentsPrefix.length > 0) outline.paragraph(`Attachments: ${attachmentsPrefix.join(", ")}`);
	for (const add of addFunctions) await add();
}

/** Replaces slashes, so that a name cannot add folders to the path; only nested mails do. */
function nameInPath(name: string): string {
	return name.replaceAll(/[/\\]/g, "_") || "attachment";
}

export function warningsOf({ unreadAttachments, unreadBodies }: MailResults): readonly Warning[] {
	return [
		...(unreadAttachments === 0 ? [] : [{ code: "ATTACHMENT_UNREAD", message: `${unreadAttachments} attachments were not read` }]),
		...(unreadBodies === 0 ? [] : [{ code: "BODY_UNREAD", message: `the text of ${unreadBodies} mails is not in any known encoding` }]),
	];
}

async function attachedMail(content: Uint8Array | Mail, mediaType: string, name: string): Promise<Mail | null> {
	if (isMail(content)) return content;
	if (mediaType !== "message/rfc822" && !/\.eml$/i.test(name)) return null;
	return await readEml(content).catch(() => null); // the attachment then counts as unread
}

/** Adds the body. Plain text is preferred; HTML is used if there is no plain text, or only a notice. @returns whether it could be read */
function addBody({ text, html, rtf }: Bodies, outline: Outline): boolean {
	const htmlText = html === null ? "" : textOfFragment(html);
	const isNotice = text === null || text.trim().length < htmlText.length * noticeShareMax;
	if (htmlText !== "" && isNotice && html !== null) addFragment(html, null, outline);
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

/** An outline whose headings are lowered, so that those of a body are below the subject. */
function withLowerHeadings(outline: Outline, levels: number): Outline {
	return { ...outline, heading: (level, text, options) => outline.heading(Math.min(6, level + levels), text, options) };
}
