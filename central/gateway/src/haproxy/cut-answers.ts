/**
 * Holds the rule against a fault of HAProxy 3.0, mended in 3.2.26 (its commit 18ece2b4): where a program's interim
 * answer, such as 103 or 100, and the head of its answer arrive at once, HAProxy takes the answer to end with what
 * it has read so far. The visitor's connection would then be used again, and a proxy in front, whose connections
 * carry visits of many sites, would read another site's answer as the rest of this one.
 */

/**
 * Closes a visitor's connection of HTTP/1 behind an answer that stands in one buffer with an interim one and is
 * taken for whole; where it is not, the visitor sees that it is cut. It belongs to each backend whose server may
 * give interim answers. HTTP/2 and HTTP/3 have streams, which end by themselves.
 */
export const closeBehindCutAnswer = `http-response set-header Connection close if { fc_http_major 1 } { internal.htx_blk.start_line(head) -m beg "HTTP/1.1 1" "HTTP/1.0 1" } { internal.htx.has_eom } !{ status 101 }`;
