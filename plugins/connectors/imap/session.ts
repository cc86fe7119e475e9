/** A session with an IMAP server through the guarded connection: opened when it is needed, and again when it has broken. It only reads. */

import { fail, type Host, limits, refusalWords, ServiceError, type Step, withoutSecrets } from "cairn-memory";
import type { ImapFlow, MailboxObject } from "imapflow";
import { z } from "zod";
import { type ImapConfig, provider } from "./config.ts";

export interface ImapSession {
	/** @throws ServiceError */
	readonly run: <Value>(work: (client: ImapFlow) => Promise<Value>) => Promise<Value>;
	/** The same in a mailbox that is opened with EXAMINE, so that nothing is marked as read. */
	readonly inMailbox: <Value>(path: string, work: (client: ImapFlow, mailbox: MailboxObject) => Promise<Value>) => Promise<Value>;
	/** What an error says that the library has thrown within a piece of work. */
	readonly refusalOf: (thrown: unknown) => ServiceError;
	readonly close: () => void;
}

/** A mail with the line that announces it. */
const literalBytesMax = limits.fileBytesMax + 64 * 1024;
/** A list of 500,000 numbers has 4 MB. */
const lineBytesMax = 16 * 1024 * 1024;
/** All that may come for one piece of work, since the library keeps answers until they are complete. */
const workBytesMax = literalBytesMax + 4 * lineBytesMax;
/** A server that says something now and then is never idle, and would keep others from their syncs. */
const workMsMax = 10 * 60_000;
/** RFC 5530: these pass by themselves. */
const passingCodes: ReadonlySet<string> = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "OVERQUOTA", "THROTTLED"]);
/** A server that has had enough names no time. */
const pauseMs = 60_000;

export function openImap(config: ImapConfig, host: Host, step: Step): ImapSession {
	let current: ImapFlow | null = null;
	let bytesLeft = workBytesMax;
	const close = () => current?.close();
	step.signal.addEventListener("abort", close, { once: true });

	async function connect(): Promise<ImapFlow> {
		if (current?.usable === true) return current;
		step.signal.throwIfAborted();
		// Imported late: most servers have no such connection.
		const { ImapFlow, createStreamsTransport } = await import("imapflow");
		const place = { hostname: config.host, port: config.port, isSecure: config.tls };
		const { readable, writable, close: end } = await host.connect(place, { signal: step.signal, timeoutMs: limits.fetchTimeoutMs });
		const client = new ImapFlow({
			...{ host: config.host, port: config.port, secure: config.tls, doSTARTTLS: false, auth: { user: config.username, pass: config.password } },
			...{
				transport: createStreamsTransport({
					open: () => ({ opened: Promise.resolve({ readable: readable.pipeThrough(counted(end)), writable }), close: end }),
				}),
			},
			...{ logger: false as const, disableAutoIdle: true, disableCompression: true, clientInfo: { name: "Cairn" } },
			...{ maxLiteralSize: literalBytesMax, maxResponseSize: literalBytesMax + lineBytesMax, maxLineLength: lineBytesMax },
			...{ greetingTimeout: limits.fetchTimeoutMs, socketTimeout: limits.fetchTimeoutMs },
		});
		// It is told by the command that fails; an event without a listener would be thrown.
		client.on("error", () => undefined);
		current = client;
		if (step.signal.aborted) client.close();
		await client.connect();
		return client;
	}

	function counted(end: () => void): TransformStream<Uint8Array, Uint8Array> {
		return new TransformStream({
			transform: (bytes, controller) => {
				bytesLeft -= bytes.byteLength;
				if (bytesLeft >= 0) controller.enqueue(bytes);
				else end();
			},
		});
	}

	const run: ImapSession["run"] = async (work) => {
		bytesLeft = workBytesMax;
		const late = setTimeout(close, workMsMax);
		const wasOpen = current?.usable === true;
		try {
			const value = await work(await connect());
			step.signal.throwIfAborted();
			return value;
		} catch (thrown) {
			step.signal.throwIfAborted();
			const refusal = refusalOf(thrown, config);
			// A server may end a session at any time. In a fresh one it is tried once more.
			if (!wasOpen || current?.usable === true || refusal.code !== "ADDRESS_FAILED" || refusal.retryAfterMs !== null) throw refusal;
			return run(work);
		} finally {
			clearTimeout(late);
		}
	};
	return {
		run,
		inMailbox: (path, work) =>
			run(async (client) => {
				const open = client.mailbox;
				return work(client, open !== false && open.path === path ? open : await client.mailboxOpen(path, { readOnly: true }));
			}),
		refusalOf: (thrown) => refusalOf(thrown, config),
		close: () => {
			step.signal.removeEventListener("abort", close);
			close();
		},
	};
}

/** What the library throws: an error with some of these. */
interface ImapError {
	readonly code?: string;
	readonly authenticationFailed?: boolean;
	readonly serverResponseCode?: string;
	/** `NO` or `BAD`, where the server has refused a command. */
	readonly responseStatus?: string;
	readonly responseText?: string;
	readonly response?: unknown;
	readonly throttleReset?: number;
}

function refusalOf(thrown: unknown, { host, password }: ImapConfig): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	if (!(thrown instanceof Error)) throw thrown;
	const { code = "", authenticationFailed, serverResponseCode = "", responseStatus, responseText, response, throttleReset } = thrown as ImapError;
	const text = responseText ?? (typeof response === "string" ? response : "");
	// `withoutSecrets` leaves short values, which a password may be.
	const said = refusalWords(withoutSecrets(text.replaceAll(password, "…"), { secret: password })) || "it gives no reason";
	if (code === "ETHROTTLE" || passingCodes.has(serverResponseCode || responseCodeOf(response)))
		return fail("ADDRESS_FAILED", host, `it wants to be asked later: ${said}`).after(Math.min(throttleReset ?? pauseMs, limits.fetchPauseMaxMs));
	if (authenticationFailed === true) return fail("CONNECTION_UNAUTHORIZED", provider, said);
	if (responseStatus !== undefined) return fail("ITEM_REFUSED", "it", said);
	if (code === "LiteralTooLarge" || code === "ResponseTooLarge") return fail("FILE_TOO_LARGE", limits.fileBytesMax);
	return fail("ADDRESS_FAILED", host, "the connection broke").because(thrown);
}

const responseSchema = z.object({ attributes: z.tuple([z.object({ section: z.tuple([z.object({ value: z.string() })], z.unknown()) })], z.unknown()) });

/** `LIMIT` of `NO [LIMIT] too many`; empty without any. The library names it for the sign-in alone. */
function responseCodeOf(response: unknown): string {
	return responseSchema.safeParse(response).data?.attributes[0].section[0].value.toUpperCase() ?? "";
}
