/** Sends a recording to an OpenAI-compatible service and reads its response. Transient failures are retried, others are reported. */

import { type Fetched, fail, type Host, ServiceError, type Step } from "cairn-memory";
import { readAnswer, type Transcript } from "./answer.ts";
import { formOf, type Spoken } from "./request.ts";

export interface Service {
	/** The base URL, without `/audio/transcriptions`. */
	readonly url: string;
	readonly key: string | null;
	readonly model: string;
	/** The largest recording it takes. */
	readonly bytesMax: number;
	readonly timeoutMs: number;
}

/** After these tries the job goes back to the queue, which waits longer. */
const triesMax = 3;
const pauseMs = 1_000;
/** A service that asks for a longer wait is left alone until the job is tried again. */
const pauseMsMax = 60_000;
/** Enough for a day of speech with times for each word. */
const answerBytesMax = 64 * 1024 * 1024;
/** All error statuses, which are handled here. */
const answers = Array.from({ length: 200 }, (_, index) => 400 + index);

/** @throws TRANSCRIPTION_FAILED when it may pass, TRANSCRIPTION_REFUSED, TRANSCRIPTION_MISCONFIGURED, TRANSCRIPTION_TOO_LARGE. */
export async function transcribe(spoken: Spoken, service: Service, host: Host, step: Step): Promise<Transcript> {
	const { host: name } = new URL(service.url);
	if (spoken.bytes.byteLength > service.bytesMax) throw fail("TRANSCRIPTION_TOO_LARGE", spoken.bytes.byteLength, service.bytesMax);
	let detail: "verbose_json" | "json" = "verbose_json";
	for (let attempt = 1; ; attempt++) {
		const fetched = await ask(spoken, service, detail, host, step);
		if (fetched.status < 400) return readBody(fetched, name);
		const said = complaintOf(fetched, service.key);
		if (fetched.status === 400 && detail === "verbose_json" && /response_format|verbose_json|timestamp_granularit/i.test(said)) {
			detail = "json";
			step.warn("TIMES_UNKNOWN", `the model ${service.model} gives no times`);
			continue;
		}
		const failure = failureOf(fetched.status, said, spoken, service, name);
		const wait = waitMs(fetched, attempt, host);
		if (!failure.mayPass || attempt >= triesMax || wait > pauseMsMax) throw failure;
		await host.world.sleep(wait, step.signal);
		step.signal.throwIfAborted();
	}
}

async function ask(spoken: Spoken, service: Service, detail: "verbose_json" | "json", host: Host, step: Step): Promise<Fetched> {
	const { contentType, body } = await formOf(spoken, service.model, detail);
	const headers = { "content-type": contentType, ...(service.key === null ? {} : { authorization: `Bearer ${service.key}` }) };
	const { signal } = step;
	try {
		return await host.fetch(addressOf(service.url), {
			signal,
			bytesMax: answerBytesMax,
			timeoutMs: service.timeoutMs,
			accept: "application/json",
			headers,
			answers,
			body,
		});
	} catch (thrown) {
		throw thrown instanceof ServiceError ? notReached(thrown, new URL(service.url).host) : thrown;
	}
}

/** Keeps the query string of the base URL, such as a version. */
function addressOf(base: string): string {
	const url = new URL(base);
	const path = url.pathname.replace(/\/+$/, "");
	url.pathname = path.endsWith("/audio/transcriptions") ? path : `${path}/audio/transcriptions`;
	return url.href;
}

/** Turns an error of the HTTP client into one about the transcription service. */
function notReached(error: ServiceError, name: string): ServiceError {
	const why = String(error.words.at(-1) ?? error.message);
	if (error.code === "ADDRESS_REFUSED") return fail("TRANSCRIPTION_MISCONFIGURED", name, `it sends elsewhere with status ${why}`).because(error);
	return (error.mayPass ? fail("TRANSCRIPTION_FAILED", name, why) : fail("TRANSCRIPTION_MISCONFIGURED", name, why)).because(error);
}

function readBody({ bytes, claimedMediaType }: Fetched, name: string): Transcript {
	const text = new TextDecoder().decode(bytes);
	const value = parse(text);
	if (value === undefined) {
		if (claimedMediaType === "text/plain") return { cues: [], text: text.trim(), language: null };
		if (claimedMediaType === "text/html") throw fail("TRANSCRIPTION_MISCONFIGURED", name, "it answers with a web page");
		throw fail("TRANSCRIPTION_FAILED", name, "its answer is cut or no JSON");
	}
	const answer = readAnswer(value);
	if ("complaint" in answer) throw fail("TRANSCRIPTION_MISCONFIGURED", name, `its answer is no transcription: ${answer.complaint}`);
	return answer;
}

function failureOf(status: number, said: string, { bytes }: Spoken, { bytesMax }: Service, name: string): ServiceError {
	const why = `status ${status}${said === "" ? "" : `, ${said}`}`;
	if (status === 413) return fail("TRANSCRIPTION_TOO_LARGE", bytes.byteLength, `less, and not ${bytesMax}`);
	if (status === 408 || status === 425 || status === 429 || status >= 500) return fail("TRANSCRIPTION_FAILED", name, why);
	const isAboutRecording = status === 415 || status === 422 || (status === 400 && !/\bmodel\b/i.test(said));
	return isAboutRecording ? fail("TRANSCRIPTION_REFUSED", name, why) : fail("TRANSCRIPTION_MISCONFIGURED", name, why);
}

/** As long as `Retry-After` says, in seconds or as a date; else longer with each attempt. */
function waitMs({ headers }: Fetched, attempt: number, { world }: Host): number {
	const asked = headers.get("retry-after")?.trim() ?? "";
	if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
	const until = Date.parse(asked) - world.now().getTime();
	return Number.isNaN(until) ? pauseMs * 2 ** (attempt - 1) : Math.max(0, until);
}

/** The service's error message, on one line. The key is removed: some services repeat it, in part. */
function complaintOf({ bytes, status }: Fetched, key: string | null): string {
	if (status === 401 || status === 403) return "";
	const value = parse(new TextDecoder().decode(bytes.subarray(0, 100_000)));
	const said = messageIn(value)
		.replace(/[\p{Cc}\s]+/gu, " ")
		.trim();
	return (key === null ? said : said.replaceAll(key, "…")).slice(0, 200);
}

/** `{ error: { message } }`, `{ error }`, `{ message }` or `{ detail }`. */
function messageIn(value: unknown): string {
	if (typeof value === "string") return value;
	if (typeof value !== "object" || value === null) return "";
	for (const name of ["error", "message", "detail"]) if (name in value) return messageIn((value as Readonly<Record<string, unknown>>)[name]);
	return "";
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
