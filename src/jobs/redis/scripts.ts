/**
 * Atomic operations in Redis. Times are Redis's own, because the clocks of servers and workers may differ. A call has
 * the fields `question`, `call`, `head` (only a job), `live`, `cancel` and `touched`. An ended call also has `end`,
 * `ending` and `session_update`.
 */
const now = `local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

/** The highest turn in one priority band. Jobs have a later band than calls with waiting clients. */
export const turns_max = 2 ** 20 - 1;

/**
 * Stores a call and returns its turn, or -1 (nobody serves it) or -2 (too many wait). Turns are fair: a call comes
 * after its owner's latest call and after the call that started last. So the owners take turns, however many calls each
 * of them sends. Keys: serving, turns, call, prioritized. Arguments: fresh_ms, waiting_max, owner, band, question,
 * call, lasts_ms.
 */
const place = `${now}
if redis.call('ZCOUNT', KEYS[1], now - ARGV[1], '+inf') == 0 then return -1 end
local waiting = redis.call('ZCARD', KEYS[4])
if waiting >= tonumber(ARGV[2]) then return -2 end
if waiting == 0 then redis.call('DEL', KEYS[2]) end
local band = tonumber(ARGV[4])
local begun = tonumber(redis.call('HGET', KEYS[2], 'begun:' .. band) or '0')
local last = tonumber(redis.call('HGET', KEYS[2], 'owner:' .. band .. ':' .. ARGV[3]) or '0')
local turn = math.min(math.max(begun, last) + 1, ${turns_max})
redis.call('HSET', KEYS[2], 'owner:' .. band .. ':' .. ARGV[3], turn)
redis.call('HSET', KEYS[3], 'question', ARGV[5], 'call', ARGV[6])
redis.call('PEXPIRE', KEYS[3], ARGV[7])
return band * ${turns_max + 1} + turn`;

/** Records the turn of a call that starts. Keys: turns. Arguments: band, turn. */
const begun = `
local field = 'begun:' .. ARGV[1]
if tonumber(redis.call('HGET', KEYS[1], field) or '0') < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], field, ARGV[2]) end
return 1`;

/**
 * Stores a call's ending once; the first writer wins. A deleted call stays deleted. Returns 1, or 0 if it had already ended.
 * Keys: call. Arguments: end, ending, session_update, kept_ms of a job, of a call, channel, message.
 */
const finish = `
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'end') == 1 then return 0 end
redis.call('HSET', KEYS[1], 'end', ARGV[1], 'ending', ARGV[2], 'session_update', ARGV[3])
local is_job = redis.call('HEXISTS', KEYS[1], 'head') == 1
redis.call('PEXPIRE', KEYS[1], is_job and ARGV[4] or ARGV[5])
redis.call('PUBLISH', ARGV[6], ARGV[7])
return 1`;

/** Deletes a call that is not a job. Keys: call. */
const drop = `
if redis.call('HEXISTS', KEYS[1], 'head') == 1 then return 0 end
return redis.call('UNLINK', KEYS[1])`;

/** Turns a call into a job. Keys: call, jobs of the owner. Arguments: head, question, created_ms, id, lasts_ms, kept_ms. */
const keep = `
redis.call('HSET', KEYS[1], 'head', ARGV[1])
redis.call('HSETNX', KEYS[1], 'question', ARGV[2])
redis.call('PEXPIRE', KEYS[1], redis.call('HEXISTS', KEYS[1], 'end') == 1 and ARGV[6] or ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[5] + ARGV[6])
return 1`;

/** Writes fields of a job that still exists. Keys: call. Arguments: field, value. */
const note = `
if redis.call('HEXISTS', KEYS[1], 'head') == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1`;

/**
 * Stores a job's ending as its server settled it. An ending in a different state is not replaced: whoever has seen one
 * must not see a different one later. Keys: call. Arguments: state, head, end, ending, kept_ms.
 */
const settle = `
local before = redis.call('HGET', KEYS[1], 'end')
if before and cjson.decode(before).state ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'head', ARGV[2], 'end', ARGV[3], 'ending', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`;

/** Records that a job still has its server. Keys: call. */
const touch = `${now}
if redis.call('HEXISTS', KEYS[1], 'head') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'touched', now)
return 1`;

/** Returns how long ago a job was touched, in ms; -1 if never. Keys: call. */
const untouched = `${now}
local touched = redis.call('HGET', KEYS[1], 'touched')
return touched and math.max(0, now - tonumber(touched)) or -1`;

/** Records that a call is cancelled. No record is created for a call that is gone, because nothing would delete it. Keys: call. */
const cancel = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'cancel', '1')
return 1`;

/** Stores a call's progress if the call still exists. Keys: call. Arguments: live. */
const tell = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'live', ARGV[1])
return 1`;

/** Records a worker's heartbeat. Keys: serving. Arguments: worker, old_ms. */
const serve = `${now}
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/** Returns how many workers serve a capability. Keys: serving. Arguments: fresh_ms. */
const served = `${now}
return redis.call('ZCOUNT', KEYS[1], now - ARGV[1], '+inf')`;

/**
 * Re-acquires a running call's lock that expired while Redis was unreachable, if nobody has claimed the call since.
 * Keys: lock, active, stalled. Arguments: token, lock_ms, id.
 */
const lockAgain = `
if not redis.call('LPOS', KEYS[2], ARGV[3]) then return 0 end
local taken = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')
if not taken then return redis.call('GET', KEYS[1]) == ARGV[1] and 1 or 0 end
redis.call('SREM', KEYS[3], ARGV[3])
return 1`;

export const scripts = {
  ...{ place, begun, finish, drop, keep, note, settle, touch, untouched, cancel, tell, serve, served },
  lock_again: lockAgain,
} as const;

export type ScriptName = keyof typeof scripts;
