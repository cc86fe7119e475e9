/** `cairn open`: the web console in the browser. */

import type { ClientCommand } from "./client-command.ts";

export const open: ClientCommand = {
	usage: "",
	description: "opens the web console in the browser",
	options: { print: { type: "boolean", description: "only prints its address" } },
	run: async ({ options, api, url, print }) => {
		// Fails here with a sentence, rather than in the browser, if no server answers or the key is not valid.
		await api.ask("GET", "/v3/session");
		if (options["print"] !== true) {
			const { default: openInBrowser } = await import("open");
			await openInBrowser(url);
		}
		print({ url }, [url]);
		return 0;
	},
};
