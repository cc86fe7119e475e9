/** Liveness, readiness and version of the server; no key is needed. At `/`, browsers get the web console. */

import type { Storage } from "../../../core/ports/storage.ts";
import { version } from "../../version.ts";
import { publicAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";
import { type ConsoleRoutes, isBrowser } from "./console.ts";

const operation = operationsOf("Health");

export function healthRoutes(storage: Storage, console: ConsoleRoutes): readonly Operation[] {
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
				operationId: "ready",
				responses: { 200: "Ready" },
				errors: ["STORAGE_UNREACHABLE"],
			},
			async () => {
				await storage.check();
				return { status: "ready", version, queue: await storage.jobs.depth() };
			},
		),
	];
}
