/** `createApp(parts)`: every route, no socket. */

import { Elysia } from "elysia";
import { fail } from "../core/errors/fail.ts";
import type { ApiKey } from "../core/ports/account-store.ts";
import type { MediaTypes } from "../core/ports/media-types.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { World } from "../core/ports/world.ts";
import type { Service } from "../core/service.ts";
import { authenticate } from "./auth/bearer.ts";
import { descriptionRoutes } from "./routes/description.ts";
import { documentListRoutes } from "./routes/document-lists.ts";
import { documentRoutes } from "./routes/documents.ts";
import { healthRoutes } from "./routes/health.ts";
import { searchRoutes } from "./routes/search.ts";
import { uploadRoutes } from "./routes/uploads.ts";
import { errorResponse, statusFor } from "./wire/error.ts";

export interface AppParts {
	readonly service: Service;
	readonly storage: Storage;
	readonly mediaTypes: MediaTypes;
	readonly world: World;
	readonly fileBytesMax: number;
}

/** Who is asking. Throws `KEY_INVALID`. */
export type Authenticate = (request: Request) => Promise<ApiKey>;

export function createApp({ service, storage, mediaTypes, world, fileBytesMax }: AppParts) {
	const whoAsks: Authenticate = ({ headers }) => authenticate(headers, storage.accounts);
	const app = new Elysia({
		// The form's own limit is kept while it streams, with a proper answer; this one only ends what is far beyond it.
		serve: { maxRequestBodySize: fileBytesMax * 2 + 64 * 1024 * 1024 },
	})
		.onError(({ error, code, request }) => answerError(error, code, request, world))
		.use(healthRoutes(storage))
		.use(documentListRoutes(service, mediaTypes, whoAsks))
		.use(documentRoutes(service, mediaTypes, whoAsks))
		.use(uploadRoutes(service, fileBytesMax, whoAsks))
		.use(searchRoutes(service, whoAsks));
	return app.use(descriptionRoutes((request) => app.handle(request)));
}

function answerError(error: unknown, code: unknown, request: Request, world: World): Response {
	const { pathname } = new URL(request.url);
	const requestId = Buffer.from(world.randomBytes(9)).toString("base64url");
	const thrown = code === "NOT_FOUND" ? fail("ROUTE_MISSING", request.method, pathname) : error;
	if (statusFor(thrown) >= 500) {
		const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
		world.log("error", "a request failed", {
			requestId,
			method: request.method,
			path: pathname,
			cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
		});
	}
	return errorResponse(thrown, requestId);
}
