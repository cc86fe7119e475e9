/** Connects Google Drive: files and native documents of an account that somebody signs in with. What changed is read from Drive's change logs. */

import { definePlugin, fail } from "cairn-memory";
import { z } from "zod";
import type { GoogleApi } from "../google-api.ts";
import { googlePlugin } from "../google-sign-in.ts";
import { driveConfig, provider } from "./config.ts";
import { listResources } from "./resources.ts";
import { syncDrive } from "./sync.ts";

const app = {
	...{ provider, scope: "https://www.googleapis.com/auth/drive.readonly", account: readAccount },
	...{ origin: "https://www.googleapis.com", path: "/drive/v3" },
};

export default definePlugin(
	googlePlugin("connector-google-drive", app, (open, { world }) => ({
		configure: driveConfig.configure,
		resources: { list: (_config, page, step) => listResources(page, open(step), step), choose: driveConfig.choose },
		sync: (config, cursor, step) => syncDrive(driveConfig.read(config), cursor, open(step), step, world),
	})),
);

const aboutSchema = z.object({ user: z.object({ permissionId: z.string(), emailAddress: z.string().optional(), displayName: z.string().optional() }) });

/** The address of an account may change, its permission id does not. */
async function readAccount(api: GoogleApi) {
	const about = await api.json("/about", { fields: "user(permissionId,emailAddress,displayName)" }, aboutSchema);
	if (about === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the service has no Drive");
	const { permissionId: id, emailAddress, displayName } = about.user;
	return { id, address: emailAddress ?? displayName ?? id };
}
