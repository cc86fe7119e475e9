/** Parses the texts of settings: one function for each form of value. */

import { resolve } from "node:path";
import type { Prices } from "../../core/language/terms.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import { isModelUse, type ModelUse, modelUses } from "../../core/settings/model-uses.ts";
import { anyOrigin } from "../wire/answers/headers.ts";

/** The value, or a description of valid values. */
export type Read<Value> = (text: string) => { readonly value: Value } | { readonly expected: string };

export function whole(least: number, most: number): Read<number> {
	return (given) => {
		const value = /^\d+$/.test(given.trim()) ? Number(given) : Number.NaN;
		return value >= least && value <= most ? { value } : { expected: `a whole number from ${least} to ${most}` };
	};
}

export function text(given: string): ReturnType<Read<string>> {
	return given.trim() === "" ? { expected: "a text that is not empty" } : { value: given.trim() };
}

export function path(given: string): ReturnType<Read<string>> {
	return given.trim() === "" ? { expected: "a path" } : { value: resolve(given.trim()) };
}

/** Long enough that it cannot be guessed by trying. */
export function key(given: string): ReturnType<Read<string | null>> {
	return /^\S{16,512}$/.test(given) ? { value: given } : { expected: "16 to 512 characters without spaces" };
}

/** A token of a provider, of any form. */
export function token(given: string): ReturnType<Read<string | null>> {
	return /^[!-~]{1,2000}$/.test(given.trim()) ? { value: given.trim() } : { expected: "up to 2000 characters without spaces" };
}

export function address(given: string): ReturnType<Read<string>> {
	const url = URL.canParse(given.trim()) ? new URL(given.trim()) : null;
	const isRight = (url?.protocol === "http:" || url?.protocol === "https:") && url.username === "" && url.password === "" && url.search === "";
	return isRight ? { value: given.trim().replace(/\/+$/, "") } : { expected: "an http or https address without a user name or a query" };
}

/** Tokens that go to it unencrypted would be read by others, unless they stay on this machine. */
export function ownAddress(given: string): ReturnType<Read<string | null>> {
	const url = URL.canParse(given.trim()) ? new URL(given.trim()) : null;
	const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname));
	const isBare = url !== null && url.href === `${url.origin}/`;
	return isSafe && isBare ? { value: url.origin } : { expected: "an https address without a path, or an http address of this machine" };
}

export function prices(given: string): ReturnType<Read<Prices | null>> {
	const [, input, output] = /^(\d{1,6}(?:\.\d{1,9})?)\/(\d{1,6}(?:\.\d{1,9})?)$/.exec(given.trim()) ?? [];
	return input === undefined ? { expected: "two prices of a million tokens such as 0.15/0.60" } : { value: { input: Number(input), output: Number(output) } };
}

export function price(given: string): ReturnType<Read<number | null>> {
	return /^\d{1,6}(?:\.\d{1,9})?$/.test(given.trim()) ? { value: Number(given) } : { expected: "a price of a million tokens such as 0.02" };
}

export function rate(given: string): ReturnType<Read<RateLimit | null>> {
	const [, requests, seconds] = /^(\d{1,9})\/(\d{1,9})s$/.exec(given.trim()) ?? [];
	const value = { requestsMax: Number(requests), windowMs: Number(seconds) * 1_000 };
	const isRight = value.requestsMax >= 1 && value.windowMs >= 1_000 && value.windowMs <= 24 * 60 * 60_000;
	return isRight ? { value } : { expected: "requests and seconds such as 600/60s, up to a day" };
}

export function list(given: string): ReturnType<Read<readonly string[]>> {
	const hosts = given.split(",").map((host) => host.trim().toLowerCase());
	const filled = hosts.filter((host) => host !== "");
	return filled.every((host) => /^[a-z0-9.:[\]-]+$/.test(host))
		? { value: filled }
		: { expected: "hosts such as wiki.internal or 10.0.0.5:8080, separated by commas" };
}

/** In the form that browsers send, so that plain comparison is enough. */
export function origins(given: string): ReturnType<Read<readonly string[]>> {
	const listed = given.split(",").map((origin) => origin.trim());
	if (listed.length === 1 && listed[0] === anyOrigin) return { value: listed };
	const expected = "origins such as https://app.example.com, with scheme and without a path, separated by commas; or * alone";
	return listed.every(isOrigin) ? { value: listed } : { expected };
}

function isOrigin(given: string): boolean {
	if (!/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]-]+$/.test(given) || !URL.canParse(given)) return false;
	// Browser extensions and apps have schemes of their own, for which URL has no origin.
	return new URL(given).origin === given || new URL(given).origin === "null";
}

export function uses(given: string): ReturnType<Read<readonly ModelUse[]>> {
	const names = given.split(",").map((name) => name.trim().toLowerCase());
	if (names.length === 1 && names[0] === "none") return { value: [] };
	const known = names.filter(isModelUse);
	return known.length === names.length ? { value: known } : { expected: `none, or some of ${modelUses.join(", ")}, separated by commas` };
}

export function oneOf<Value extends string>(values: readonly Value[]): Read<Value> {
	return (given) => {
		const value = values.find((candidate) => candidate === given.trim());
		return value === undefined ? { expected: values.join(", ") } : { value };
	};
}
