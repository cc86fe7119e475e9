/** Files on GitHub and gists: the file itself in place of the page that shows it. */

import { type AddressReader, definePlugin } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, demandSuccess } from "./ask.ts";
import { baseAddress, hostNames } from "./base-address.ts";

const markdown = /\.(?:md|markdown|mdx|mkd|mdown)$/i;

export default definePlugin({
	name: "address-reader-github",
	contract: 1,
	options: z.strictObject({
		base: baseAddress("https://github.com"),
		gists: baseAddress("https://gist.github.com"),
		hosts: hostNames(["github.com", "www.github.com"]),
		gistHosts: hostNames(["gist.github.com"]),
	}),
	start({ base, gists, hosts, gistHosts }, host) {
		/** `/raw/` redirects to the file, also for large files and for branches with slashes in their name. */
		function rawOf({ host: at, pathname }: URL): string | null {
			const [, repository, rest] = /^\/([\w.-]+\/[\w.-]+)\/(?:blob|blame)\/(.+)$/.exec(pathname) ?? [];
			if (hosts.includes(at) && repository !== undefined) return `${base}/${repository}/raw/${rest}`;
			const [, gist] = /^\/([\w-]+\/[0-9a-f]{20,40})(?:\/[0-9a-f]{40})?\/?$/.exec(pathname) ?? [];
			return gistHosts.includes(at) && gist !== undefined ? `${gists}/${gist}/raw` : null;
		}
		const reader: AddressReader = {
			name: "github",
			recognizes: (address) => rawOf(address) !== null,
			read: async (address, step) => {
				const asked: Asked = { host, step, about: address };
				const fetched = await ask(asked, rawOf(address) ?? address.href, "*/*");
				demandSuccess(fetched, asked);
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
