/** Reads posts of X by the API behind embedded posts, otherwise by oEmbed, which returns less. */

import { type AddressReader, definePlugin, ServiceError } from "cairn-memory";
import { z } from "zod";
import type { ApiRequest } from "../ask.ts";
import { baseUrl, hostNames } from "../base-address.ts";
import { readByOembed } from "./embedded.ts";
import { readSyndicated } from "./syndicated.ts";

export default definePlugin({
	name: "address-reader-x",
	contract: 1,
	options: z.strictObject({
		syndication: baseUrl("https://cdn.syndication.twimg.com"),
		oembed: baseUrl("https://publish.twitter.com"),
		hosts: hostNames(["x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com", "m.twitter.com"]),
	}),
	start({ syndication, oembed, hosts }, host) {
		const reader: AddressReader = {
			name: "x",
			recognizes: (address) => hosts.includes(address.host) && idOf(address) !== null,
			read: async (address, step) => {
				const request: ApiRequest = { host, step, url: address };
				const id = idOf(address) ?? "";
				try {
					return { kind: "extraction", extraction: await readSyndicated(syndication, id, request) };
				} catch (thrown) {
					step.signal.throwIfAborted();
					if (!(thrown instanceof ServiceError) || thrown.code === "ADDRESS_GONE" || thrown.code === "ADDRESS_PRIVATE") throw thrown;
					// If both fail, the first error is usually more informative.
					return {
						kind: "extraction",
						extraction: await readByOembed(oembed, id, request).catch((second: unknown) => Promise.reject(errorOfBoth(thrown, second))),
					};
				}
			},
		};
		return { addressReader: [reader] };
	},
});

function idOf({ pathname }: URL): string | null {
	return /^\/(?:i\/web|i|\w{1,20})\/status(?:es)?\/(\d{2,20})(?:\/.*)?$/.exec(pathname)?.[1] ?? null;
}

/** The error to report if both sources fail. It is permanent only if both errors are. */
function errorOfBoth(first: ServiceError, second: unknown): unknown {
	if (!(second instanceof ServiceError)) return second;
	if (second.code === "ADDRESS_GONE" || second.code === "ADDRESS_PRIVATE") return second;
	return second.mayPass && !first.mayPass ? second : first;
}
