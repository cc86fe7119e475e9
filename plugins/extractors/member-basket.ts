/** Gathers the files that an engine finds inside of a document: no more than it may hand over along with the text. */

import { limits, type Member, type Remark } from "cairn-memory";

export interface MemberBasket {
	readonly members: readonly Member[];
	/** What goes beyond the bounds is left out, which is remarked once. */
	readonly add: (member: Member) => void;
}

/** Beside the text of the document, see `readInSandbox`. */
const bytesMax = 2 * limits.fileBytesMax;

export function createMemberBasket(remarks: Remark[]): MemberBasket {
	const members: Member[] = [];
	let left = bytesMax;
	let isFull = false;
	return {
		members,
		add(member) {
			const fits = members.length < limits.membersMax && member.bytes.byteLength <= left;
			if (!fits && !isFull)
				remarks.push({ code: "MEMBERS_UNREAD", message: `files inside beyond ${bytesMax} bytes or ${limits.membersMax} of them were left out` });
			isFull ||= !fits;
			if (!fits) return;
			left -= member.bytes.byteLength;
			members.push({ ...member, bytes: member.bytes.slice() });
		},
	};
}
