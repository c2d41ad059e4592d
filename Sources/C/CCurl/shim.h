// SPDX-License-Identifier: Apache-2.0
// libcurl, whose variadic functions for options and figures Swift cannot call.
#pragma once

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// libcurl wraps some of its functions in macros, which hide them from Swift.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_share_setopt

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *_Nullable text) {
  return curl_easy_setopt(handle, option, text);
}

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long number) {
  return curl_easy_setopt(handle, option, number);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, int64_t size) {
  return curl_easy_setopt(handle, option, (curl_off_t)size);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option,
                                         const void *_Nullable pointer) {
  return curl_easy_setopt(handle, option, pointer);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option,
                                      struct curl_slist *_Nullable list) {
  return curl_easy_setopt(handle, option, list);
}

typedef size_t (*ccurl_writer)(char *_Nullable bytes, size_t size, size_t count,
                               void *_Nullable context);

static inline CURLcode ccurl_set_writer(CURL *handle, ccurl_writer writer,
                                        void *_Nullable context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/// `reader` is called with each header line, and with the status lines before them.
static inline CURLcode ccurl_set_header_reader(CURL *handle, ccurl_writer reader,
                                               void *_Nullable context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, reader);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

/// Called with the connection's socket just before its closing; closes it.
typedef int (*ccurl_closer)(void *_Nullable context, curl_socket_t socket);

static inline CURLcode ccurl_set_closer(CURL *handle, ccurl_closer closer,
                                        void *_Nullable context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, closer);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, context);
}

static inline long ccurl_number(CURL *handle, CURLINFO info) {
  long number = 0;
  curl_easy_getinfo(handle, info, &number);
  return number;
}

/// Seconds, or octets: the values of type curl_off_t.
static inline int64_t ccurl_size(CURL *handle, CURLINFO info) {
  curl_off_t size = 0;
  curl_easy_getinfo(handle, info, &size);
  return size;
}

/// Belongs to the handle.
static inline const char *_Nullable ccurl_text(CURL *handle, CURLINFO info) {
  char *text = NULL;
  curl_easy_getinfo(handle, info, &text);
  return text;
}

/// Makes the handles that use it share TLS sessions.
static inline CURLSHcode ccurl_share_tls_sessions(CURLSH *share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}
