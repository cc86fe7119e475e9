/** Collects the files that an engine finds inside a document, up to the number and size that it may return. */

import { type Attachment, limits, type Warning } from "cairn-memory";

export interface AttachmentBasket {
	readonly attachments: readonly Attachment[];
	/** Files beyond the limits are left out, with one warning. */
	readonly add: (attachment: Attachment) => void;
}

/** All attachments together, in addition to the document's text; see `readInSandbox`. */
const bytesMax = 2 * limits.fileBytesMax;

export function createAttachmentBasket(warnings: Warning[]): AttachmentBasket {
	const attachments: Attachment[] = [];
	let bytesLeft = bytesMax;
	let isFull = false;
	return {
		attachments,
		add(attachment) {
			const fits = attachments.length < limits.attachmentsMax && attachment.bytes.byteLength <= bytesLeft;
			if (!fits && !isFull)
				warnings.push({
					code: "MEMBERS_UNREAD",
					message: `only ${limits.attachmentsMax} attachments with ${bytesMax} bytes in all are read; the others were left out`,
				});
			isFull ||= !fits;
			if (!fits) return;
			bytesLeft -= attachment.bytes.byteLength;
			attachments.push({ ...attachment, bytes: attachment.bytes.slice() });
		},
	};
}
