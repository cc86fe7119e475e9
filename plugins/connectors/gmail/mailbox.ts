/** Writes mails as an mbox file, RFC 4155: each behind a line `From `, and lines of its own that begin so with a `>`. */

const crLf = Buffer.from("\r\n");
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface SentMail {
	readonly sentAt: Date;
	/** As RFC 5322 has it. */
	readonly bytes: Uint8Array;
}

/** One mail of a mailbox, which is one after another. */
export function mailboxPart({ sentAt, bytes }: SentMail): Uint8Array {
	return Buffer.concat([Buffer.from(`From MAILER-DAEMON ${asctime(sentAt)}\r\n`), escaped(bytes), crLf, crLf]);
}

/** `Tue Mar  3 10:00:00 2026`, in UTC. */
function asctime(at: Date): string {
	const two = (value: number, pad = "0") => String(value).padStart(2, pad);
	const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map((part) => two(part)).join(":");
	return `${weekdays[at.getUTCDay()]} ${months[at.getUTCMonth()]} ${two(at.getUTCDate(), " ")} ${time} ${String(at.getUTCFullYear()).padStart(4, "0")}`;
}

function escaped(bytes: Uint8Array): Uint8Array {
	const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (mail.indexOf("From ", 0, "latin1") < 0) return mail;
	return Buffer.from(mail.toString("latin1").replace(/^(>*From )/gm, ">$1"), "latin1");
}
