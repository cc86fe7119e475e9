/** Reads files on GitHub and gists: the file itself in place of the page that shows it. */

import { type AddressReader, definePlugin } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, requireSuccess, sendRequest } from "./ask.ts";
import { baseUrl, hostNames } from "./base-address.ts";

const markdown = /\.(?:md|markdown|mdx|mkd|mdown)$/i;

export default definePlugin({
	name: "address-reader-github",
	contract: 1,
	options: z.strictObject({
		base: baseUrl("https://github.com"),
		gists: baseUrl("https://gist.github.com"),
		hosts: hostNames(["github.com", "www.github.com"]),
		gistHosts: hostNames(["gist.github.com"]),
	}),
	start({ base, gists: gistBase, hosts, gistHosts }, host) {
		/** The URL of the file itself; null for any other page. `/raw/` redirects to the file, even for large files and branches with slashes in their name. */
		function rawUrl({ host: hostName, pathname }: URL): string | null {
			const [, repository, rest] = /^\/([\w.-]+\/[\w.-]+)\/(?:blob|blame)\/(.+)$/.exec(pathname) ?? [];
			if (hosts.includes(hostName) && repository !== undefined) return `${base}/${repository}/raw/${rest}`;
			const [, gist] = /^\/([\w-]+\/[0-9a-f]{20,40})(?:\/[0-9a-f]{40})?\/?$/.exec(pathname) ?? [];
			return gistHosts.includes(hostName) && gist !== undefined ? `${gistBase}/${gist}/raw` : null;
		}
		const reader: AddressReader = {
			name: "github",
			recognizes: (address) => rawUrl(address) !== null,
			read: async (address, step) => {
				const request: ApiRequest = { host, step, url: address };
				const fetched = await sendRequest(request, rawUrl(address) ?? address.href, "*/*");
				requireSuccess(fetched, request);
				const { bytes, fileName, claimedMediaType, charset } = fetched;
				const [owner = "", repository = ""] = address.pathname.slice(1).split("/");
				const isMarkdown = markdown.test(fileName ?? "") || markdown.test(address.pathname);
				const siteName = gistHosts.includes(address.host) ? `GitHub Gist, ${owner}` : `GitHub, ${owner}/${repository}`;
				return {
					kind: "bytes",
					content: { bytes, fileName, claimedMediaType, charset },
					known: { about: { siteName, canonical: address.origin + address.pathname }, ...(isMarkdown && { type: "github_markdown" as const }) },
				};
			},
		};
		return { addressReader: [reader] };
	},
});
