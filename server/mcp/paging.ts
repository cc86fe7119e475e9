/** Schemas for the pages of a list, with the field names of the HTTP API. */

import { z } from "zod";

const pageSizeMax = 50;

export const page = { page: z.number().int().min(1).default(1), limit: z.number().int().min(1).max(pageSizeMax).default(10) };

export const pagination = z.object({ currentPage: z.number(), limit: z.number(), totalItems: z.number(), totalPages: z.number() });
