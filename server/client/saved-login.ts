/** The server and the key that `cairn login` stores for the commands, in a file that only the user can read. */

import { readFileSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import { z } from "zod";
import { fail } from "../../core/errors/fail.ts";

const login = z.object({ url: z.url(), key: z.string().min(1) });

export type Login = z.output<typeof login>;

/** @returns null if nobody has logged in. @throws ServiceError `COMMAND_INVALID` for a file that is damaged */
export function readLogin(env: Readonly<Record<string, string | undefined>>): Login | null {
	const file = fileOf(env);
	try {
		return login.parse(JSON.parse(readFileSync(file, "utf8")));
	} catch (thrown) {
		if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw fail("COMMAND_INVALID", `${file} cannot be read: delete it with "cairn logout"`);
	}
}

export async function saveLogin(env: Readonly<Record<string, string | undefined>>, saved: Login): Promise<string> {
	const file = fileOf(env);
	await mkdir(dirname(file), { recursive: true, mode: 0o700 });
	await writeFile(file, `${JSON.stringify(saved, null, "\t")}\n`, { mode: 0o600 });
	// The mode above only applies to a new file.
	await chmod(file, 0o600);
	return file;
}

export async function deleteLogin(env: Readonly<Record<string, string | undefined>>): Promise<void> {
	await rm(fileOf(env), { force: true });
}

/** The path of the file: below `XDG_CONFIG_HOME` if that is set, otherwise in the configuration folder of the platform. */
function fileOf(env: Readonly<Record<string, string | undefined>>): string {
	const folder = env["XDG_CONFIG_HOME"] ? join(env["XDG_CONFIG_HOME"], "cairn") : envPaths("cairn", { suffix: "" }).config;
	return join(folder, "login.json");
}
