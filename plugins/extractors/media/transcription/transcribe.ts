/** Sends a recording to an OpenAI-compatible service and reads its response. Transient failures are retried, others are reported. */

import { type Fetched, fail, type Host, ServiceError, type Step } from "cairn-memory";
import { type AudioFile, requestBody } from "./request.ts";
import { readResponse, type Transcript } from "./response.ts";

export interface Service {
	/** The base URL, without `/audio/transcriptions`. */
	readonly url: string;
	readonly key: string | null;
	readonly model: string;
	/** The largest recording that it accepts. */
	readonly bytesMax: number;
	readonly timeoutMs: number;
}

/** After this number of attempts the job goes back to the queue, which waits longer before the next one. */
const attemptsMax = 3;
const pauseMs = 1_000;
/** If a service asks for a longer wait, there is no further attempt until the job is retried. */
const waitMsMax = 60_000;
/** The largest response, enough for a day of speech with times for each word. */
const responseBytesMax = 64 * 1024 * 1024;
/** All error statuses. They are handled here and not by the HTTP client. */
const handledStatuses = Array.from({ length: 200 }, (_, index) => 400 + index);

/** @throws TRANSCRIPTION_FAILED if a retry may succeed, TRANSCRIPTION_REFUSED, TRANSCRIPTION_MISCONFIGURED, TRANSCRIPTION_TOO_LARGE. */
export async function transcribe(audio: AudioFile, service: Service, host: Host, step: Step): Promise<Transcript> {
	const { host: name } = new URL(service.url);
	if (audio.bytes.byteLength > service.bytesMax) throw fail("TRANSCRIPTION_TOO_LARGE", audio.bytes.byteLength, service.bytesMax);
	let detail: "verbose_json" | "json" = "verbose_json";
	for (let attempt = 1; ; attempt++) {
		const response = await sendRequest(audio, service, detail, host, step);
		if (response.status < 400) return readBody(response, name);
		const message = errorMessage(response, service.key);
		if (response.status === 400 && detail === "verbose_json" && /response_format|verbose_json|timestamp_granularit/i.test(message)) {
			detail = "json";
			step.warn("TIMES_UNKNOWN", `the model ${service.model} does not return times`);
			continue;
		}
		const failure = errorForStatus(response.status, message, audio, service, name);
		const wait = waitMs(response, attempt, host);
		if (!failure.mayPass || attempt >= attemptsMax || wait > waitMsMax) throw failure;
		await host.world.sleep(wait, step.signal);
		step.signal.throwIfAborted();
	}
}

async function sendRequest(audio: AudioFile, service: Service, detail: "verbose_json" | "json", host: Host, step: Step): Promise<Fetched> {
	const { contentType, body } = await requestBody(audio, service.model, detail);
	const headers = { "content-type": contentType, ...(service.key === null ? {} : { authorization: `Bearer ${service.key}` }) };
	const { signal } = step;
	try {
		return await host.fetch(endpointUrl(service.url), {
			signal,
			bytesMax: responseBytesMax,
			timeoutMs: service.timeoutMs,
			accept: "application/json",
			headers,
			answers: handledStatuses,
			body,
		});
	} catch (thrown) {
		throw thrown instanceof ServiceError ? connectionError(thrown, new URL(service.url).host) : thrown;
	}
}

/** The URL of the endpoint. The query string of the base URL is kept, since it may have a version. */
function endpointUrl(base: string): string {
	const url = new URL(base);
	const path = url.pathname.replace(/\/+$/, "");
	url.pathname = path.endsWith("/audio/transcriptions") ? path : `${path}/audio/transcriptions`;
	return url.href;
}

/** Converts an error of the HTTP client to one about the transcription service. */
function connectionError(error: ServiceError, name: string): ServiceError {
	const why = String(error.args.at(-1) ?? error.message);
	if (error.code === "ADDRESS_REFUSED") return fail("TRANSCRIPTION_MISCONFIGURED", name, `it redirects with status ${why}`).because(error);
	return (error.mayPass ? fail("TRANSCRIPTION_FAILED", name, why) : fail("TRANSCRIPTION_MISCONFIGURED", name, why)).because(error);
}

function readBody({ bytes, claimedMediaType }: Fetched, name: string): Transcript {
	const text = new TextDecoder().decode(bytes);
	const value = parse(text);
	if (value === undefined) {
		if (claimedMediaType === "text/plain") return { cues: [], text: text.trim(), language: null };
		if (claimedMediaType === "text/html") throw fail("TRANSCRIPTION_MISCONFIGURED", name, "it responds with a web page");
		throw fail("TRANSCRIPTION_FAILED", name, "its response is not complete JSON");
	}
	const transcript = readResponse(value);
	if ("problem" in transcript) throw fail("TRANSCRIPTION_MISCONFIGURED", name, `its response is not a transcription: ${transcript.problem}`);
	return transcript;
}

function errorForStatus(status: number, message: string, { bytes }: AudioFile, { bytesMax }: Service, name: string): ServiceError {
	const why = `status ${status}${message === "" ? "" : `, ${message}`}`;
	if (status === 413) return fail("TRANSCRIPTION_TOO_LARGE", bytes.byteLength, `less, and not ${bytesMax}`);
	if (status === 408 || status === 425 || status === 429 || status >= 500) return fail("TRANSCRIPTION_FAILED", name, why);
	const isAboutRecording = status === 415 || status === 422 || (status === 400 && !/\bmodel\b/i.test(message));
	return isAboutRecording ? fail("TRANSCRIPTION_REFUSED", name, why) : fail("TRANSCRIPTION_MISCONFIGURED", name, why);
}

/** The time to wait before the next attempt: that of `Retry-After`, in seconds or as a date, otherwise longer with each attempt. */
function waitMs({ headers }: Fetched, attempt: number, { world }: Host): number {
	const retryAfter = headers.get("retry-after")?.trim() ?? "";
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1000;
	const until = Date.parse(retryAfter) - world.now().getTime();
	return Number.isNaN(until) ? pauseMs * 2 ** (attempt - 1) : Math.max(0, until);
}

/** The service's error message on one line, without the API key, which some services repeat. */
function errorMessage({ bytes, status }: Fetched, key: string | null): string {
	if (status === 401 || status === 403) return "";
	const value = parse(new TextDecoder().decode(bytes.subarray(0, 100_000)));
	const message = messageIn(value)
		.replace(/[\p{Cc}\s]+/gu, " ")
		.trim();
	return (key === null ? message : message.replaceAll(key, "…")).slice(0, 200);
}

/** The message in `{ error: { message } }`, `{ error }`, `{ message }` or `{ detail }`. */
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
