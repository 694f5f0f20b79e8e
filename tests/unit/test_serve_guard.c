/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets past the lock of the page. */
#include "unit_fixture.h"

#include "serve_guard.h"

static dgmi_serve_guard guard;

static int make_guard(void **state) {
    (void)state;
    return dgmi_serve_guard_make(&guard, "127.0.0.1", 4321) ? 0 : -1;
}

/* One who may ask; each test spoils one thing. */
static dgmi_serve_visitor guest(void) {
    return (dgmi_serve_visitor){.method = "POST",
                                .path = "/api/picture",
                                .host = guard.host,
                                .origin = guard.origin,
                                .fetch_site = "same-origin",
                                .cookie = guard.secret};
}

#define ASSERT_VERDICT(visitor, verdict)                                                           \
    assert_int_equal(dgmi_serve_guard_judge(&guard, &(visitor)), DGMI_SERVE_##verdict)

static void secrets_are_128_random_bits(void **state) {
    (void)state;
    dgmi_serve_guard other;
    assert_true(dgmi_serve_guard_make(&other, "::1", 80));
    assert_int_equal(strlen(guard.token), 32);
    assert_int_equal(strspn(guard.token, "0123456789abcdef"), 32);
    assert_int_equal(strlen(guard.secret), 32);
    assert_string_not_equal(guard.token, guard.secret);
    assert_string_not_equal(guard.token, other.token);
    assert_string_not_equal(guard.secret, other.secret);
    assert_string_equal(guard.host, "127.0.0.1:4321");
    assert_string_equal(guard.origin, "http://127.0.0.1:4321");
    assert_string_equal(guard.cookie, "dgm_4321");
    assert_string_equal(other.host, "[::1]:80");
    assert_string_equal(other.origin, "http://[::1]:80");
    assert_string_equal(other.cookie, "dgm_80");
    for (int place = 0; place < 32; place++) { /* no digit is the same in sixteen secrets */
        bool differs = false;
        for (int i = 0; i < 16 && !differs; i++) {
            assert_true(dgmi_serve_guard_make(&other, "::1", 65535));
            differs = other.secret[place] != guard.secret[place];
        }
        assert_true(differs);
    }
    assert_string_equal(other.host, "[::1]:65535");
}

static void a_guest_is_admitted(void **state) {
    (void)state;
    dgmi_serve_visitor visitor = guest();
    ASSERT_VERDICT(visitor, ADMITTED);
    visitor.fetch_site = NULL; /* an old browser */
    ASSERT_VERDICT(visitor, ADMITTED);
    visitor.method = "GET";
    visitor.origin = NULL;
    ASSERT_VERDICT(visitor, ADMITTED);
    visitor.fetch_site = "none"; /* the address was typed */
    ASSERT_VERDICT(visitor, ADMITTED);
    visitor.method = "HEAD";
    ASSERT_VERDICT(visitor, ADMITTED);
    visitor.fetch_site = NULL;
    ASSERT_VERDICT(visitor, ADMITTED);
    visitor.method = "HEADS";
    ASSERT_VERDICT(visitor, REFUSED);
}

static void other_hosts_are_refused(void **state) {
    (void)state;
    static const char *const hosts[] = {"evil.example",
                                        "127.0.0.1",
                                        "127.0.0.1:4322",
                                        "localhost:4321",
                                        "127.0.0.1:4321.evil.example",
                                        "",
                                        NULL};
    for (int64_t i = 0; i < COUNT(hosts); i++) {
        dgmi_serve_visitor visitor = guest();
        visitor.host = hosts[i];
        ASSERT_VERDICT(visitor, REFUSED);
        visitor.method = "GET";
        visitor.path = "/";
        visitor.token = guard.token;
        ASSERT_VERDICT(visitor, REFUSED);
    }
}

static void other_origins_are_refused(void **state) {
    (void)state;
    static const char *const origins[] = {"http://evil.example", "null", "https://127.0.0.1:4321",
                                          "http://127.0.0.1:4322", ""};
    dgmi_serve_visitor visitor = guest();
    for (int64_t i = 0; i < COUNT(origins); i++) {
        visitor = guest();
        visitor.origin = origins[i];
        ASSERT_VERDICT(visitor, REFUSED);
        visitor.method = "GET";
        ASSERT_VERDICT(visitor, REFUSED);
    }
    visitor = guest();
    visitor.origin = NULL; /* what changes something says where it comes from */
    ASSERT_VERDICT(visitor, REFUSED);
    visitor.method = "PUT";
    ASSERT_VERDICT(visitor, REFUSED);
}

static void other_sites_are_refused(void **state) {
    (void)state;
    static const char *const sites[] = {"cross-site", "same-site", "none", ""};
    for (int64_t i = 0; i < COUNT(sites); i++) {
        dgmi_serve_visitor visitor = guest();
        visitor.fetch_site = sites[i];
        ASSERT_VERDICT(visitor, REFUSED);
    }
    dgmi_serve_visitor visitor = guest();
    visitor.method = "GET";
    visitor.fetch_site = "cross-site";
    ASSERT_VERDICT(visitor, REFUSED);
}

static void without_the_cookie_nothing_is_given(void **state) {
    (void)state;
    char near[DGMI_SERVE_SECRET];
    memcpy(near, guard.secret, sizeof near);
    near[31] = near[31] == '0' ? '1' : '0';
    char first[DGMI_SERVE_SECRET], longer[DGMI_SERVE_SECRET + 1];
    memcpy(first, guard.secret, sizeof first);
    first[0] = first[0] == '0' ? '1' : '0';
    strcat(strcpy(longer, guard.secret), "0");
    const char *const cookies[] = {NULL,       "", "x", near, first, longer, guard.secret + 1,
                                   guard.token};
    for (int64_t i = 0; i < COUNT(cookies); i++) {
        dgmi_serve_visitor visitor = guest();
        visitor.cookie = cookies[i];
        ASSERT_VERDICT(visitor, REFUSED);
    }
}

static void the_token_is_exchanged_at_the_front_door_alone(void **state) {
    (void)state;
    dgmi_serve_visitor visitor = {
        .method = "GET", .path = "/", .host = guard.host, .token = guard.token};
    ASSERT_VERDICT(visitor, GREETED);
    visitor.fetch_site = "cross-site"; /* a link in a mail */
    ASSERT_VERDICT(visitor, GREETED);
    visitor.path = "/page.js";
    ASSERT_VERDICT(visitor, REFUSED);
    visitor.path = "/";
    visitor.method = "POST";
    ASSERT_VERDICT(visitor, REFUSED);
    visitor.method = "GET";
    visitor.token = guard.secret;
    ASSERT_VERDICT(visitor, REFUSED);
    visitor.token = "";
    ASSERT_VERDICT(visitor, REFUSED);
    visitor.cookie = guard.secret; /* a wrong token does not become right by a cookie */
    ASSERT_VERDICT(visitor, REFUSED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_128_random_bits),
        cmocka_unit_test(a_guest_is_admitted),
        cmocka_unit_test(other_hosts_are_refused),
        cmocka_unit_test(other_origins_are_refused),
        cmocka_unit_test(other_sites_are_refused),
        cmocka_unit_test(without_the_cookie_nothing_is_given),
        cmocka_unit_test(the_token_is_exchanged_at_the_front_door_alone),
    };
    (void)ctx;
    return RUN_GROUP(tests, make_guard, NULL);
}
