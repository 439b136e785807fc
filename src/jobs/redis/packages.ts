/**
 * The packages for Redis. They are built into a file of their own, which is read only where Redis is used: a server
 * without it pays nothing for them.
 */
export { Queue, Worker } from "bullmq";
export { Redis } from "ioredis";
