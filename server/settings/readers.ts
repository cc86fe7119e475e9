/** Parsers of setting values: one function for each type of value. */

import { resolve } from "node:path";
import type { TokenPrices } from "../../core/language/model-policy.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import { isModelUse, type ModelUse, modelUses } from "../../core/settings/model-uses.ts";
import { isS3Address, parseS3Address } from "../../plugins/s3-client/address.ts";
import { anyHost, hostnameOf } from "../auth/known-hosts.ts";
import { anyOrigin } from "../wire/responses/headers.ts";

/** Returns the value, or a description of valid values. */
export type Parser<Value> = (text: string) => { readonly value: Value } | { readonly expected: string };

export function integer(min: number, max: number): Parser<number> {
	return (text) => {
		const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
		return value >= min && value <= max ? { value } : { expected: `a whole number from ${min} to ${max}` };
	};
}

export function nonEmptyString(text: string): ReturnType<Parser<string>> {
	return text.trim() === "" ? { expected: "a non-empty string" } : { value: text.trim() };
}

export function path(text: string): ReturnType<Parser<string>> {
	return text.trim() === "" ? { expected: "a path" } : { value: resolve(text.trim()) };
}

export function backupPlace(text: string): ReturnType<Parser<string>> {
	if (!isS3Address(text)) return path(text);
	const address = parseS3Address(text);
	return "expected" in address ? { expected: `a folder, or an address of S3; one should ${address.expected}` } : { value: text.trim() };
}

/** Long enough to withstand guessing. */
export function secretKey(text: string): ReturnType<Parser<string | null>> {
	return /^\S{16,512}$/.test(text) ? { value: text } : { expected: "16 to 512 characters without spaces" };
}

/** A provider's key, in any format. */
export function providerToken(text: string): ReturnType<Parser<string | null>> {
	return /^[!-~]{1,8000}$/.test(text.trim()) ? { value: text.trim() } : { expected: "up to 8000 characters without spaces" };
}

export function httpUrl(text: string): ReturnType<Parser<string>> {
	const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
	const isValid = (url?.protocol === "http:" || url?.protocol === "https:") && url.username === "" && url.password === "" && url.search === "";
	return isValid ? { value: text.trim().replace(/\/+$/, "") } : { expected: "an http or https URL without a user name or a query" };
}

/** The origin by which clients reach this server. Plain http is only accepted for this machine, since others could read unencrypted tokens. */
export function ownOrigin(text: string): ReturnType<Parser<string | null>> {
	const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
	const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname));
	const hasNoPath = url !== null && url.href === `${url.origin}/`;
	return isSafe && hasNoPath ? { value: url.origin } : { expected: "an https URL without a path, or an http URL of this machine" };
}

export function prices(text: string): ReturnType<Parser<TokenPrices | null>> {
	const [, input, output] = /^(\d{1,6}(?:\.\d{1,9})?)\/(\d{1,6}(?:\.\d{1,9})?)$/.exec(text.trim()) ?? [];
	return input === undefined
		? { expected: "the prices of a million input and output tokens such as 0.15/0.60" }
		: { value: { input: Number(input), output: Number(output) } };
}

export function price(text: string): ReturnType<Parser<number | null>> {
	return /^\d{1,6}(?:\.\d{1,9})?$/.test(text.trim()) ? { value: Number(text) } : { expected: "the price of a million tokens such as 0.02" };
}

export function share(text: string): ReturnType<Parser<number>> {
	return /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text.trim()) ? { value: Number(text) } : { expected: "a number from 0 to 1 such as 0.1" };
}

export function rate(text: string): ReturnType<Parser<RateLimit | null>> {
	const [, requests, seconds] = /^(\d{1,9})\/(\d{1,9})s$/.exec(text.trim()) ?? [];
	const value = { requestsMax: Number(requests), windowMs: Number(seconds) * 1_000 };
	const isValid = value.requestsMax >= 1 && value.windowMs >= 1_000 && value.windowMs <= 24 * 60 * 60_000;
	return isValid ? { value } : { expected: "requests and seconds such as 600/60s, up to a day" };
}

export function hosts(text: string): ReturnType<Parser<readonly string[]>> {
	const names = text.split(",").map((host) => host.trim().toLowerCase());
	const nonEmpty = names.filter((host) => host !== "");
	return nonEmpty.every((host) => /^[a-z0-9.:[\]-]+$/.test(host))
		? { value: nonEmpty }
		: { expected: "hosts such as wiki.internal or 10.0.0.5:8080, separated by commas" };
}

/** Host names as the `Host` header has them, without a port: every port of a host is meant. */
export function hostNames(text: string): ReturnType<Parser<readonly string[] | null>> {
	const entries = text.split(",").map((host) => host.trim());
	if (entries.length === 1 && entries[0] === anyHost) return { value: entries };
	const names = entries.flatMap((entry) => hostnameOf(entry) ?? []);
	return names.length === entries.length
		? { value: names }
		: { expected: "host names such as cairn.example.com without scheme and port, separated by commas; or * alone" };
}

/** Origins exactly as browsers send them, so that they can be compared as strings. */
export function origins(text: string): ReturnType<Parser<readonly string[]>> {
	const entries = text.split(",").map((origin) => origin.trim());
	if (entries.length === 1 && entries[0] === anyOrigin) return { value: entries };
	const expected = "origins such as https://app.example.com, with scheme and without a path, separated by commas; or * alone";
	return entries.every(isOrigin) ? { value: entries } : { expected };
}

function isOrigin(text: string): boolean {
	if (!/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]-]+$/.test(text) || !URL.canParse(text)) return false;
	// For the schemes of browser extensions and apps, `URL.origin` is "null".
	return new URL(text).origin === text || new URL(text).origin === "null";
}

export function modelTasks(text: string): ReturnType<Parser<readonly ModelUse[]>> {
	const names = text.split(",").map((name) => name.trim().toLowerCase());
	if (names.length === 1 && names[0] === "none") return { value: [] };
	const uses = names.filter(isModelUse);
	return uses.length === names.length ? { value: uses } : { expected: `none, or some of ${modelUses.join(", ")}, separated by commas` };
}

export function oneOf<Value extends string>(values: readonly Value[]): Parser<Value> {
	return (text) => {
		const value = values.find((candidate) => candidate === text.trim());
		return value === undefined ? { expected: `one of ${values.join(", ")}` } : { value };
	};
}
