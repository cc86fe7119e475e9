/** Posts of X, by the API behind embedded posts, else by oEmbed, which has less information. */

import { type AddressReader, definePlugin, ServiceError } from "cairn-memory";
import { z } from "zod";
import type { Asked } from "../ask.ts";
import { baseAddress, hostNames } from "../base-address.ts";
import { embedded } from "./embedded.ts";
import { syndicated } from "./syndicated.ts";

export default definePlugin({
	name: "address-reader-x",
	contract: 1,
	options: z.strictObject({
		syndication: baseAddress("https://cdn.syndication.twimg.com"),
		oembed: baseAddress("https://publish.twitter.com"),
		hosts: hostNames(["x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com", "m.twitter.com"]),
	}),
	start({ syndication, oembed, hosts }, host) {
		const reader: AddressReader = {
			name: "x",
			recognizes: (address) => hosts.includes(address.host) && idOf(address) !== null,
			read: async (address, step) => {
				const asked: Asked = { host, step, about: address };
				const id = idOf(address) ?? "";
				try {
					return { kind: "extraction", extraction: await syndicated(syndication, id, asked) };
				} catch (thrown) {
					step.signal.throwIfAborted();
					if (!(thrown instanceof ServiceError) || thrown.code === "ADDRESS_GONE" || thrown.code === "ADDRESS_PRIVATE") throw thrown;
					// The first of two refusals is more informative.
					return { kind: "extraction", extraction: await embedded(oembed, id, asked).catch((second: unknown) => Promise.reject(worse(thrown, second))) };
				}
			},
		};
		return { addressReader: [reader] };
	},
});

function idOf({ pathname }: URL): string | null {
	return /^\/(?:i\/web|i|\w{1,20})\/status(?:es)?\/(\d{2,20})(?:\/.*)?$/.exec(pathname)?.[1] ?? null;
}

/** The error for both: permanent only when both are. */
function worse(first: ServiceError, second: unknown): unknown {
	if (!(second instanceof ServiceError)) return second;
	if (second.code === "ADDRESS_GONE" || second.code === "ADDRESS_PRIVATE") return second;
	return second.mayPass && !first.mayPass ? second : first;
}
