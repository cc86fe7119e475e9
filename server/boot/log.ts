/** The log: JSON lines, or readable lines. One event is one line, with the ids of its request or job, and secrets are removed. */

import { isatty } from "node:tty";
import type { Log, LogLevel } from "../../core/ports/world.ts";
import { escapeControls } from "../escape-controls.ts";
import { currentContext } from "../observation/context.ts";
import type { LogFormat } from "../settings/settings.ts";

export interface LogOptions {
	/** The minimum level. */
	readonly level: LogLevel;
	/** Called with complete lines, including the line break. */
	readonly write: (line: string) => void;
	/** By default `auto`: readable lines if standard error is a terminal, and JSON otherwise. */
	readonly format?: LogFormat;
	readonly now?: () => Date;
}

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Limits for logged values, in case a whole document is logged. */
const textCharactersMax = 2_000;
const depthMax = 4;
const itemsMax = 50;

/** Matches API keys anywhere in a text, and anything after `Bearer`. */
const secrets = /sm_[A-Za-z0-9_-]{4,}|\bBearer\s+[^\s"']+/gi;
/** Values with such a name are never written. `keyId` and `tokens` (a count) do not match. */
const secretName = /^(.*[-_])?(api[-_]?key|authorization|cookie|password|passwd|secret|access[-_]?token|token)$/i;

export function createLog({ level: minimum, write, format = "auto", now = () => new Date() }: LogOptions): Log {
	const isText = format === "text" || (format === "auto" && isatty(2));
	const toLine = isText ? textLine : jsonLine;
	return (level, message, details = {}) => {
		if (ranks[level] < ranks[minimum]) return;
		write(`${toLine(now(), level, cleanText(message), cleanDetails({ ...currentContext()?.details, ...details }))}\n`);
	};
}

type LogDetails = Readonly<Record<string, unknown>>;

function jsonLine(time: Date, level: LogLevel, message: string, details: LogDetails): string {
	// A value whose name is one of the first three is left out.
	return escapeControls(JSON.stringify({ at: time, level, message, ...omit(details, ["at", "level", "message"]) }));
}

function textLine(time: Date, level: LogLevel, message: string, details: LogDetails): string {
	const parts = Object.entries(details).map(
		([name, value]) => `${name}=${typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`,
	);
	return escapeControls([time.toISOString().slice(11, 23), level.padEnd(5), message, ...parts].join(" "));
}

function omit(details: LogDetails, names: readonly string[]): LogDetails {
	return Object.fromEntries(Object.entries(details).filter(([name]) => !names.includes(name)));
}

function cleanDetails(details: LogDetails): LogDetails {
	return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, secretName.test(name) ? "…" : clean(value, 0)]));
}

/** A value that can be serialised as JSON, cut to a sensible size; circular references end at the maximum depth. */
function clean(value: unknown, depth: number): unknown {
	if (typeof value === "string") return cleanText(value);
	if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return cleanText(String(value));
	if (typeof value !== "object" || value === null) return value;
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date" : value;
	if (depth >= depthMax) return "…";
	if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
	if (value instanceof Error) return cleanError(value, depth);
	if (Array.isArray(value)) return value.slice(0, itemsMax).map((part) => clean(part, depth + 1));
	const parts = Object.entries(value).slice(0, itemsMax);
	return Object.fromEntries(parts.map(([name, part]) => [name, secretName.test(name) ? "…" : clean(part, depth + 1)]));
}

function cleanError(error: Error, depth: number): LogDetails {
	const { code } = error as { readonly code?: unknown };
	return {
		name: error.name,
		message: cleanText(error.message),
		...(code !== undefined && { code: clean(code, depth + 1) }),
		...(error.stack !== undefined && { stack: cleanText(error.stack) }),
		...(error.cause !== undefined && { cause: clean(error.cause, depth + 1) }),
	};
}

function cleanText(text: string): string {
	const short = text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}…` : text;
	return short.replace(secrets, (secret) => (secret.startsWith("sm_") ? "sm_…" : "Bearer …"));
}
