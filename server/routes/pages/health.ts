/** Liveness, readiness and version of the server; no key is needed. At `/`, browsers get the web console. */

import { fail } from "../../../core/errors/fail.ts";
import type { Storage } from "../../../core/ports/storage.ts";
import type { ServerRole } from "../../settings/settings.ts";
import { version } from "../../version.ts";
import { publicAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";
import { type ConsoleRoutes, isBrowser } from "./console.ts";

const operation = operationsOf("Health");

export interface HealthParts {
	readonly storage: Storage;
	readonly role: ServerRole;
	/** Whether the thread runs that works on jobs. */
	readonly isWorking: () => boolean;
}

export function indexRoutes(console: ConsoleRoutes): readonly Operation[] {
	return [
		operation(
			"GET /",
			{
				access: publicAccess,
				summary: "Read the name and version of the server",
				description: "A browser, which asks for HTML, gets the web console.",
				operationId: "index",
				responses: { 200: "About" },
				errors: [],
			},
			({ request }) => (isBrowser(request) ? console.page(request) : { name: "cairn", version, documentation: "/swagger" }),
		),
	];
}

export function healthRoutes({ storage, role, isWorking }: HealthParts): readonly Operation[] {
	return [
		operation(
			"GET /health",
			{ access: publicAccess, summary: "Check that the server is running", operationId: "health", responses: { 200: "Health" }, errors: [] },
			() => ({ status: "ok", version }),
		),
		operation(
			"GET /ready",
			{
				access: publicAccess,
				summary: "Check that the server is ready",
				description: "A server that takes requests is ready when its storage responds, and a worker when its jobs run as well.",
				operationId: "ready",
				responses: { 200: "Ready" },
				errors: ["STORAGE_UNREACHABLE", "WORKER_STOPPED"],
			},
			async () => {
				await storage.check();
				if (role === "worker" && !isWorking()) throw fail("WORKER_STOPPED");
				return { status: "ready", version, role, queue: await storage.jobs.depth() };
			},
		),
	];
}
